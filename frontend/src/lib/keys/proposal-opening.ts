/**
 * Sealed proposals, opened: one to five edits for the memory document, the whole text that is to be for a note.
 *
 * Nothing is carried out here. What the Assistant proposes is shown to a person first, whose Save it then is.
 */
import type { ProposalOut } from '../api/schema';
import { fromBase64Url } from '../crypto/bytes';
import { openSealed, proposalContext } from '../crypto/envelope';
import { SealBroken } from '../crypto/errors';
import { type Opener, keyOf } from './document-opening';

const EDITS_MAX = 5;

/**
 * One edit. `text` is the new line, `target` the whole line to replace or remove, `heading` where to add. What does not
 * belong to the operation is empty.
 */
export type Edit = { op: 'add' | 'replace' | 'remove'; text: string; target: string; heading: string };

const UNUSED = new Map<unknown, readonly (keyof Edit)[]>([
  ['add', ['target']],
  ['replace', ['heading']],
  ['remove', ['text', 'heading']],
]);

/** The edits that a proposal for the memory document makes. Raises KeyLost, SealBroken. */
export async function proposedEdits(opener: Opener, proposal: ProposalOut): Promise<Edit[]> {
  const { changes } = await openProposal(opener, proposal);
  const isList = Array.isArray(changes) && 0 < changes.length && changes.length <= EDITS_MAX;
  if (!isList || !changes.every(isEdit)) throw new SealBroken();
  return changes;
}

/** The text that a proposal for a note would write. Raises KeyLost, SealBroken. */
export async function proposedText(opener: Opener, proposal: ProposalOut): Promise<string> {
  const { text } = await openProposal(opener, proposal);
  if (typeof text !== 'string') throw new SealBroken();
  return text;
}

async function openProposal(opener: Opener, proposal: ProposalOut): Promise<Record<string, unknown>> {
  const context = proposalContext({
    workspace: opener.workspace,
    proposal: proposal.id,
    epoch: proposal.epoch,
    base: proposal.base_version,
    clearGeneration: proposal.clear_generation,
  });
  const key = keyOf(opener.keys, proposal.epoch);
  const opened = await openSealed(key, context, fromBase64Url(proposal.ciphertext));
  const body: unknown = parsed(opened);
  if (typeof body !== 'object' || body === null) throw new SealBroken();
  return body as Record<string, unknown>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own error quotes the text.
    throw new SealBroken();
  }
}

function isEdit(value: unknown): value is Edit {
  const { op, text, target, heading, ...others } = (value ?? {}) as Record<string, unknown>;
  const fields = { op, text, target, heading };
  if (Object.keys(others).length > 0 || Object.values(fields).some((each) => typeof each !== 'string'))
    return false;
  const unused = UNUSED.get(op);
  return unused !== undefined && unused.every((name) => fields[name] === '');
}
