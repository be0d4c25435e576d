/**
 * Where a link of an answer may lead. A model writes answers, and whoever writes into its sources may write links: only
 * whole addresses of the web and of mail are links, and what is shown beside them is where they really lead.
 */
export type SafeLink = { href: string; target: string };

const PROTOCOLS = ['http:', 'https:', 'mailto:'];
const TARGET_CHARACTERS = 80;

/** The address and what of it is shown: the host in its plain form, or the mail address. Undefined for no link. */
export function safeLink(written: string): SafeLink | undefined {
  let url: URL;
  try {
    url = new URL(written.trim());
  } catch {
    return undefined;
  }
  if (!PROTOCOLS.includes(url.protocol)) return undefined;
  if (url.protocol === 'mailto:') {
    // Only the address: a subject or a text would be sent in the person's name.
    const address = url.pathname;
    return address.includes('@') ? { href: `mailto:${address}`, target: shortened(address) } : undefined;
  }
  if (!url.hostname) return undefined;
  // A name before the host only serves to make one address look like another.
  url.username = '';
  url.password = '';
  return { href: url.href, target: shortened(url.host) };
}

const shortened = (text: string): string =>
  text.length <= TARGET_CHARACTERS ? text : `${text.slice(0, TARGET_CHARACTERS)}…`;
