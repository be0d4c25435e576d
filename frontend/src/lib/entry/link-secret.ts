/**
 * The secret of a one-time link: what follows # in the address. It is taken out of the address bar, and so of the
 * browser's history, before anything else happens, and goes to the service in bodies alone.
 */
export function takeLinkSecret(): string {
  const written = location.hash.slice(1);
  if (location.hash) history.replaceState(history.state, '', location.pathname);
  try {
    return decodeURIComponent(written);
  } catch {
    // Something mangled the link on its way; the service says that it does not know it.
    return written;
  }
}
