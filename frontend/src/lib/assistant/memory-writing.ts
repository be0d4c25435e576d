/**
 * What a person does with the memory document from below an answer: take a capture back, apply a suggestion.
 *
 * Both are the Memory page's own writes, told to `saving.svelte.ts` like those of the page, so that the next message
 * says that they were acknowledged.
 */
import { getDocument, getVersion } from '../api/document';
import {
  type DocumentHead,
  type OpenDocument,
  openDocument,
  openRevision,
  withMark,
} from '../keys/document-opening';
import type { Sealer } from '../keys/document-sealing';
import { type Outcome, writeCalls, writeMemory } from '../memory/writing';
import { keys } from '../state/keys.svelte';
import { beginWrite, settleConflict } from '../state/saving.svelte';

const sealer = (workspace: string): Sealer => ({ workspace, keys: keys.ring, user: keys.holder.user });

/** The memory document as it is now, opened. Raises KeyLost, SealBroken, ServerRolledBack, ApiError, Unreachable. */
export async function readMemory(workspace: string): Promise<OpenDocument> {
  const found = await withMark(keys.holder.known, workspace, () => getDocument(workspace));
  return openDocument({ workspace, keys: keys.ring }, found);
}

/** Write the text that the memory had before a revision, against what is the newest now. */
export async function undoRevision(
  workspace: string,
  revision: number,
  head: DocumentHead,
): Promise<Outcome> {
  const before = revision - 1;
  const text =
    before < 1
      ? ''
      : ((await openRevision({ workspace, keys: keys.ring }, await getVersion(workspace, before))).text ??
        '');
  return written(workspace, { kind: 'undo', text, head });
}

/** Save the text that a suggestion makes of what was read. */
export const applySuggestion = (
  workspace: string,
  proposal: string,
  text: string,
  head: DocumentHead,
): Promise<Outcome> => written(workspace, { kind: 'apply', proposal, text, head });

async function written(workspace: string, intent: Parameters<typeof writeMemory>[3]): Promise<Outcome> {
  const own = beginWrite(workspace);
  try {
    const outcome = await writeMemory(writeCalls(workspace), sealer(workspace), keys.holder.known, intent);
    if (outcome.as === 'saved') own.acknowledged(outcome.document.version);
    else if (outcome.as === 'conflict') own.conflicted();
    return outcome;
  } finally {
    own.failed();
    // Nothing of one's own waits to be compared: what was wanted can be asked for again.
    settleConflict(workspace);
  }
}
