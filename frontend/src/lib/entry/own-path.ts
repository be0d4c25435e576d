/** Where somebody goes after signing in: an address of this application, and never one of somebody else's. */
import { findPage } from '../state/pages';

/** What `?to=` asks for, if it is a page of this application that one can go back to; else the start. */
export function ownPath(to: string | null, origin: string): string {
  // A second slash, or a backslash that browsers read as one, would begin the name of another host.
  if (!to?.startsWith('/') || /^\/[/\\]/.test(to)) return '/';
  let url: URL;
  try {
    url = new URL(to, origin);
  } catch {
    return '/';
  }
  const found = findPage(url.pathname);
  const isPage = found.kind === 'in-workspace' || (found.kind === 'alone' && found.signedIn);
  return url.origin === origin && isPage ? url.pathname + url.search : '/';
}
