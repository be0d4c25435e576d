/**
 * Where the page is. A small router over the browser's history, with a guard that a page with an unsaved draft sets.
 *
 * Addresses: `/sign-in`, `/accept#SECRET`, `/account`, and `/w/WORKSPACE/PAGE/REST` for everything in a workspace.
 */

export type Place = { path: string; query: URLSearchParams };
/** Asks whether the page may be left; `go` leaves it after all. */
type Guard = (go: () => void) => boolean;

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

const state = $state<{ place: Place }>({ place: here() });
let guard: Guard | undefined;
let index = (history.state as { index?: number } | null)?.index ?? 0;
history.replaceState({ index }, '');

export const place = (): Place => state.place;

/** Set or take away the guard of the page that is shown. */
export const setGuard = (asks: Guard | undefined): void => void (guard = asks);

/** Go to an address of this application, unless the guard keeps the page. */
export function go(to: string, options: { replace?: boolean; force?: boolean } = {}): void {
  if (!options.force && isElsewhere(to) && guard && !guard(() => go(to, { ...options, force: true }))) return;
  if (options.replace) history.replaceState({ index }, '', to);
  else history.pushState({ index: ++index }, '', to);
  state.place = here();
}

/** Change the query of this very page, such as the chosen tab; no page is left. */
export function setQuery(changes: Record<string, string | null>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const written = query.toString();
  history.replaceState({ index }, '', location.pathname + (written ? `?${written}` : ''));
  state.place = here();
}

const isElsewhere = (to: string): boolean => new URL(to, location.href).pathname !== state.place.path;

addEventListener('popstate', (event) => {
  const target = (event.state as { index?: number } | null)?.index ?? 0;
  const back = target - index;
  if (location.pathname !== state.place.path && guard) {
    const leave = (): void => {
      guard = undefined;
      history.go(back);
    };
    if (!guard(leave)) {
      // The browser has gone already: come back without telling anybody, and let the person decide.
      history.go(-back);
      return;
    }
  }
  index = target;
  state.place = here();
});

/** `<a use:link href=…>`: a link that this router follows; a click with a modifier stays the browser's. */
export function link(anchor: HTMLAnchorElement) {
  const follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const to = new URL(anchor.href);
    go(to.pathname + to.search + to.hash);
  };
  anchor.addEventListener('click', follow);
  return { destroy: () => anchor.removeEventListener('click', follow) };
}
