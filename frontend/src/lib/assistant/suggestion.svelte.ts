/** One suggestion of the Assistant: what it would change, and what became of it. */
import { isCode } from '../api/errors';
import { getNote } from '../api/notes';
import { applyProposal, dismissProposal, getProposal, shareProposal } from '../api/proposals';
import type { ProposalOut } from '../api/schema';
import { openNote } from '../keys/document-opening';
import { sealNewNote, sealNoteSave } from '../keys/document-sealing';
import { type Edit, proposedEdits, proposedText } from '../keys/proposal-opening';
import { EditRefused, applyEdits } from '../memory/edits';
import { isAnswerLost } from '../api/errors';
import { keys } from '../state/keys.svelte';
import { prepareWrite } from '../state/saving.svelte';
import { type Change, changeBetween, changesOf } from './changed-lines';
import { applySuggestion, readMemory } from './memory-writing';

export type Standing = 'loading' | 'failed' | 'gone' | 'open' | 'applied' | 'dismissed' | 'retired';
/** Why nothing was applied. */
export type Trouble =
  | { as: 'conflict' | 'unknown' | 'settled' | 'no-change' | 'does-not-apply' }
  | { as: 'failed'; error: unknown };

export class Suggestion {
  standing = $state<Standing>('loading');
  sealed = $state.raw<ProposalOut | null>(null);
  /** Null while the keys are locked, and where it does not open. */
  changes = $state.raw<Change[] | null>(null);
  unreadable = $state(false);
  busy = $state<'apply' | 'dismiss' | 'share' | null>(null);
  trouble = $state.raw<Trouble | null>(null);

  constructor(
    readonly workspace: string,
    readonly id: string,
  ) {}

  async load(): Promise<void> {
    try {
      this.sealed = await getProposal(this.workspace, this.id);
      this.standing = this.sealed.state;
    } catch (error) {
      if (isCode(error, 'not_found')) this.standing = 'gone';
      else if (!this.sealed) this.standing = 'failed';
    }
  }

  /** Open it with the keys that are open in this page. */
  async unseal(): Promise<void> {
    if (!this.sealed || this.changes) return;
    try {
      this.changes = await this.#changes(this.sealed);
      this.unreadable = false;
    } catch {
      this.unreadable = true;
    }
  }

  apply = (): Promise<void> =>
    this.#decide('apply', async (sealed) => {
      if (sealed.kind !== 'memory') return this.#applyToNote(sealed);
      return this.#applyToMemory(sealed);
    });

  dismiss = (): Promise<void> =>
    this.#decide('dismiss', async () => {
      await dismissProposal(this.workspace, this.id);
      return null;
    });

  share = (): Promise<void> =>
    this.#decide('share', async () => {
      await shareProposal(this.workspace, this.id);
      return null;
    });

  async #decide(
    what: 'apply' | 'dismiss' | 'share',
    does: (sealed: ProposalOut) => Promise<Trouble | null>,
  ): Promise<void> {
    if (!this.sealed || this.busy) return;
    this.busy = what;
    this.trouble = null;
    try {
      this.trouble = await does(this.sealed);
    } catch (error) {
      if (isCode(error, 'version_conflict')) this.trouble = { as: 'conflict' };
      else if (isCode(error, 'proposal_settled')) this.trouble = { as: 'settled' };
      else this.trouble = isAnswerLost(error) ? { as: 'unknown' } : { as: 'failed', error };
    } finally {
      await this.load();
      this.busy = null;
    }
  }

  async #changes(sealed: ProposalOut): Promise<Change[]> {
    const opener = { workspace: this.workspace, keys: keys.ring };
    if (sealed.kind === 'memory') return changesOf(await proposedEdits(opener, sealed), await this.#memory());
    const text = await proposedText(opener, sealed);
    if (sealed.document_id === null) return [changeBetween('', text)];
    const note = await openNote(opener, await getNote(this.workspace, sealed.document_id));
    return [changeBetween(note.text, text)];
  }

  /** What a suggestion that is open would be applied to; null where it cannot be read just now. */
  async #memory(): Promise<string | null> {
    if (this.standing !== 'open') return null;
    return readMemory(this.workspace).then(
      ({ text }) => text,
      () => null,
    );
  }

  async #applyToMemory(sealed: ProposalOut): Promise<Trouble | null> {
    const written = prepareWrite(this.workspace);
    try {
      const edits = await proposedEdits({ workspace: this.workspace, keys: keys.ring }, sealed);
      const memory = await readMemory(this.workspace);
      const text = edited(memory.text, edits);
      if (text === undefined) return { as: 'no-change' };
      if (text === null) return { as: 'does-not-apply' };
      const outcome = await applySuggestion(this.workspace, this.id, text, memory);
      if (outcome.as === 'saved') return null;
      if (outcome.as !== 'failed') return { as: outcome.as };
      throw outcome.error;
    } finally {
      written();
    }
  }

  /** A note is changed against the very version that the suggestion was made from. */
  async #applyToNote(sealed: ProposalOut): Promise<Trouble | null> {
    const sealer = { workspace: this.workspace, keys: keys.ring, user: keys.holder.user };
    const text = await proposedText(sealer, sealed);
    if (sealed.document_id === null) {
      const { headers, body } = await sealNewNote(sealer, text, sealed.path);
      await applyProposal(this.workspace, this.id, {
        headers,
        body: { epoch: body.epoch, ciphertext: body.ciphertext },
      });
      return null;
    }
    const note = await openNote(sealer, await getNote(this.workspace, sealed.document_id));
    if (note.version !== sealed.base_version) return { as: 'does-not-apply' };
    await applyProposal(this.workspace, this.id, await sealNoteSave(sealer, text, note));
    return null;
  }
}

/** The text after the edits; undefined where it says all of it already, null where they do not fit any more. */
function edited(text: string, edits: readonly Edit[]): string | undefined | null {
  try {
    return applyEdits(text, edits);
  } catch (error) {
    if (error instanceof EditRefused) return null;
    throw error;
  }
}
