/**
 * The secret of a one-time link: what follows # in the address. It is taken out of the address bar, and so of the
 * browser's history, before anything else happens, and goes to the service in bodies alone.
 */
export function takeLinkSecret(): string {
  const secret = decodeURIComponent(location.hash.slice(1));
  if (location.hash) history.replaceState(history.state, '', location.pathname);
  return secret;
}
