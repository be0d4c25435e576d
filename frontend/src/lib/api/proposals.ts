/** Changes that wait for a person, sealed. */
import { call, path } from './client';
import type { ProposalOut, ProposalPageOut, SealedIn, WrittenOut } from './schema';

/** The own ones, and those that were shared or applied, newest first. */
export const listProposals = (
  workspace: string,
  query: {
    state?: 'open' | 'applied' | 'dismissed';
    conversation_id?: string;
    before?: string | null;
    limit?: number;
  } = {},
): Promise<ProposalPageOut> => call('GET', path`/workspaces/${workspace}/memory/proposals`, { query });

export const getProposal = (workspace: string, id: string): Promise<ProposalOut> =>
  call('GET', path`/workspaces/${workspace}/memory/proposals/${id}`);

/** Save the text that was made of it. `proposal_settled`, `version_conflict`, `epoch_conflict` */
export const applyProposal = (
  workspace: string,
  id: string,
  write: { headers: Record<string, string>; body: SealedIn },
): Promise<WrittenOut> =>
  call('POST', path`/workspaces/${workspace}/memory/proposals/${id}/apply`, {
    headers: write.headers,
    body: write.body,
  });

/** Put it away without writing. `proposal_settled` */
export const dismissProposal = (workspace: string, id: string): Promise<void> =>
  call('POST', path`/workspaces/${workspace}/memory/proposals/${id}/dismiss`, { body: {} });

/** Let every member see it: its owner alone. `proposal_settled` */
export const shareProposal = (workspace: string, id: string): Promise<void> =>
  call('POST', path`/workspaces/${workspace}/memory/proposals/${id}/share`, { body: {} });
