/**
 * Keys that do something on a page. Single keys count only outside inputs and can be switched off, since somebody may
 * steer by voice; a key that belongs to an input method's composition never counts.
 */
import { keep, kept } from './kept';

const KEPT = 'single-keys';
const WITHIN_MS = 1200;

type Shortcuts = Readonly<Record<string, () => void>>;

const pages: Shortcuts[] = [];
const state = $state<{ on: boolean }>({ on: kept(KEPT) !== 'off' });
let before = '';
let beforeAt = 0;

export const singleKeysOn = (): boolean => state.on;

export function switchSingleKeys(on: boolean): void {
  state.on = on;
  keep(KEPT, on ? 'on' : 'off');
}

/** Add keys while a component lives: `$effect(() => shortcuts({ e: edit, 'g m': … }))`. The last one wins. */
export function shortcuts(keys: Shortcuts): () => void {
  pages.push(keys);
  return () => void pages.splice(pages.indexOf(keys), 1);
}

/** For the window's keydown. */
export function onKey(event: KeyboardEvent): void {
  if (event.isComposing || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!state.on || isTyping(event) || document.querySelector('dialog[open]')) return;
  const now = event.timeStamp;
  const pair = `${before} ${event.key}`;
  const inTime = now - beforeAt < WITHIN_MS;
  before = event.key;
  beforeAt = now;
  const run = (inTime && find(pair)) || find(event.key);
  if (!run) return;
  event.preventDefault();
  before = '';
  run();
}

const find = (key: string): (() => void) | undefined => pages.findLast((each) => key in each)?.[key];

/** The innermost element, also within the editor's shadow root. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  // The field of a dialog that has been closed keeps the focus until the next frame.
  if (!(target instanceof HTMLElement) || target.closest('dialog:not([open])')) return false;
  return target.isContentEditable || target.matches('input, textarea, select, [role="combobox"]');
}
