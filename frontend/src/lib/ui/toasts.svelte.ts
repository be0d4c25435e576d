/** Short notes of what was done, with a way to take it back. Never the only way: the page itself has one too. */
export type Action = { label: string; run: () => void };
type Toast = { id: number; text: string; action?: Action };

const SHOWN_MS = 8000;
/** More than these would cover what the person works on. */
const AT_ONCE = 2;
let last = 0;

export const toasts = $state<Toast[]>([]);

export function toast(text: string, action?: Action): void {
  const id = ++last;
  toasts.splice(0, toasts.length - AT_ONCE + 1);
  toasts.push({ id, text, action });
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  const at = toasts.findIndex((each) => each.id === id);
  if (at >= 0) toasts.splice(at, 1);
}
