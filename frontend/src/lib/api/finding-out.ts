/** What became of a change whose answer did not arrive: it is looked at before anything is said. */
import { isAnswerLost, isCode } from './errors';

/** The service did not answer a change, and a look has shown that it was not made. */
export class NotMade extends Error {
  override readonly name = 'NotMade';
}

/**
 * Send a change, and where its answer is lost, or the change comes too late, look whether what there is now is what was
 * wanted: `isDone` tells, by undefined that it cannot be told apart from a change of somebody else.
 *
 * Raises what `send` raises; NotMade; and the lost answer itself where the look says nothing either.
 */
export async function sendOrFindOut<Now>(
  send: () => Promise<Now>,
  look: () => Promise<Now>,
  isDone: (now: Now) => boolean | undefined,
): Promise<Now> {
  try {
    return await send();
  } catch (error) {
    const isLost = isAnswerLost(error);
    if (!isLost && !isCode(error, 'version_mismatch')) throw error;
    const now = await look().catch((problem: unknown) => {
      throw isCode(problem, 'not_found') ? problem : error;
    });
    const done = isDone(now);
    if (done) return now;
    throw isLost && done === false ? new NotMade() : error;
  }
}
