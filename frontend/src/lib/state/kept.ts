/** Small choices that this browser remembers. Where it keeps nothing, each is asked for anew at the next visit. */
const PREFIX = 'workspace-memory-';

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // As at the top.
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // As at the top.
  }
}
