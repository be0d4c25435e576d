/** Look again, lightly, while a page is seen: now and then, and when a person comes back to it. */
const EVERY_MS = 20_000;
const AT_MOST_EVERY_MS = 1000;

export function looking(look: () => void): () => void {
  let last = Date.now();
  const again = (): void => {
    if (document.visibilityState !== 'visible' || Date.now() - last < AT_MOST_EVERY_MS) return;
    last = Date.now();
    look();
  };
  const timer = setInterval(again, EVERY_MS);
  addEventListener('focus', again);
  document.addEventListener('visibilitychange', again);
  return () => {
    clearInterval(timer);
    removeEventListener('focus', again);
    document.removeEventListener('visibilitychange', again);
  };
}
