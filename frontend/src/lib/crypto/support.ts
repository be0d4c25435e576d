/** Whether this browser can do what encryption needs. */

/**
 * Whether there is cryptography at all. A browser offers it over https and on the own machine, and not over plain http
 * from another one.
 */
const cryptoAvailable = (): boolean => globalThis.crypto?.subtle !== undefined;

/** `insecure`: the page came over plain http. `outdated`: the browser does not know X25519 or Ed25519 yet. */
export type CryptoSupport = 'ready' | 'insecure' | 'outdated';

export async function cryptoSupport(): Promise<CryptoSupport> {
  if (!cryptoAvailable()) return 'insecure';
  try {
    await crypto.subtle.generateKey('X25519', false, ['deriveBits']);
    await crypto.subtle.generateKey('Ed25519', false, ['sign']);
    return 'ready';
  } catch {
    return 'outdated';
  }
}
