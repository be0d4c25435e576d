/** What the Assistant may do with the memory document, and whether AI works in the workspace at all. */
import { call, path } from './client';
import type { AiConsentOut, Mode, PolicyOut } from './schema';

export const getPolicy = (workspace: string): Promise<PolicyOut> =>
  call('GET', path`/workspaces/${workspace}/memory/policy`);

/** Set the mode against the revision that was read. `policy_conflict` carries the present policy. */
export const changePolicy = (workspace: string, mode: Mode, expected: number): Promise<PolicyOut> =>
  call('PUT', path`/workspaces/${workspace}/memory/policy`, { body: { mode, expected_revision: expected } });

export const getAiConsent = (workspace: string): Promise<AiConsentOut> =>
  call('GET', path`/workspaces/${workspace}/ai-consent`);
