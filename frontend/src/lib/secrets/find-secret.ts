/** Warn before an encrypted Save: the server, which would refuse a secret, never sees that text. */
import type { SecretFound } from './scan';

export type { SecretFound } from './scan';

/** The first password, token or key in the text: by which rule, and on which line; null when there is none. */
export async function findSecret(text: string): Promise<SecretFound | null> {
  // The patterns are a good part of the page's size, and wanted at a Save alone.
  const { scan } = await import('./scan');
  return scan(text);
}
