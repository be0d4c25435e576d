/**
 * What the Assistant suggests for the document: opened here, and shown as the very lines that would change.
 *
 * A suggestion is applied to the text that is saved now. Where its lines are not there any more it applies no more, which
 * is said; nothing is made to fit. A Clear retires all from before it.
 */
import { isCode } from '../api/errors';
import { dismissProposal, listProposals, shareProposal } from '../api/proposals';
import type { ProposalOut } from '../api/schema';
import { KeyLost } from '../keys/errors';
import { type Edit, proposedEdits } from '../keys/proposal-opening';
import type { Access } from './store';

/** A suggestion and the edits that it makes; none where they could not be opened. */
export type Suggestion = {
  proposal: ProposalOut;
  edits: readonly Edit[] | null;
  why?: 'key-lost' | 'broken';
};

const PAGE = 100;

export class Proposals {
  open = $state.raw<readonly Suggestion[]>([]);
  /** Suggestions of this person that a Clear has retired, and that nobody has put away yet. */
  retired = $state.raw<readonly ProposalOut[]>([]);
  busy = $state<string | null>(null);
  problem = $state.raw<unknown>(null);
  /** Shown too late: somebody else has decided it, or a Clear has retired it. */
  settled = $state(false);

  constructor(private readonly access: Access) {}

  /** Whether there is anything to show. */
  get any(): boolean {
    return this.open.length + this.retired.length > 0 || this.settled || this.problem !== null;
  }

  /** Ask for those that wait. A failure leaves what was known. */
  async load(): Promise<void> {
    try {
      const { proposals } = await listProposals(this.access.workspace, { state: 'open', limit: PAGE });
      const ours = proposals.filter((each) => each.kind === 'memory');
      this.retired = ours.filter((each) => each.state === 'retired');
      this.open = await Promise.all(
        ours.filter((each) => each.state === 'open').map((each) => this.#opened(each)),
      );
    } catch {
      // The document is there without them; the next look asks again.
    }
  }

  async dismiss(id: string): Promise<void> {
    await this.#settle(id, () => dismissProposal(this.access.workspace, id));
  }

  async dismissRetired(): Promise<void> {
    for (const { id } of this.retired) await this.dismiss(id);
  }

  async share(id: string): Promise<void> {
    await this.#settle(id, () => shareProposal(this.access.workspace, id));
  }

  async #settle(id: string, act: () => Promise<void>): Promise<void> {
    this.busy = id;
    this.problem = null;
    try {
      await act();
    } catch (error) {
      if (isCode(error, 'proposal_settled')) this.settled = true;
      else this.problem = error;
    } finally {
      this.busy = null;
    }
    await this.load();
  }

  async #opened(proposal: ProposalOut): Promise<Suggestion> {
    try {
      return { proposal, edits: await proposedEdits(this.access, proposal) };
    } catch (error) {
      return { proposal, edits: null, why: error instanceof KeyLost ? 'key-lost' : 'broken' };
    }
  }
}
