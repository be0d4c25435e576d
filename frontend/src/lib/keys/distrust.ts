/** Errors of the cryptography as what they mean where the service sent what did not open. */
import { GrantRefused, SealBroken, WeakParameters, WrongSecret } from '../crypto/errors';
import { KeyDistrusted } from './errors';

/**
 * Run something that opens what the service sent.
 *
 * Raises KeyDistrusted instead of WeakParameters, GrantRefused and SealBroken. WrongSecret stays: that one was brought.
 */
export async function distrusting<Answer>(use: () => Promise<Answer> | Answer): Promise<Answer> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof WrongSecret) throw error;
    if (error instanceof WeakParameters) throw new KeyDistrusted('parameters');
    if (error instanceof GrantRefused) throw new KeyDistrusted('signature');
    if (error instanceof SealBroken) throw new KeyDistrusted('seal');
    throw error;
  }
}
