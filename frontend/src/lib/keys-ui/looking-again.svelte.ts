/** Asking again every few seconds, while a page waits for what somebody else does. */
import { refreshKeys } from '../state/keys.svelte';

const EVERY_MS = 3000;

/** For a component's beginning: look again while it lives, except in a window that nobody sees. */
export function lookingAgain(every: number = EVERY_MS): void {
  $effect(() => {
    let asking = false;
    const look = async (): Promise<void> => {
      if (asking || document.hidden) return;
      asking = true;
      await refreshKeys();
      asking = false;
    };
    const timer = setInterval(() => void look(), every);
    const seen = (): void => void look();
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  });
}
