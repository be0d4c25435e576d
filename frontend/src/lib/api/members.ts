/** Members of a workspace: who they are, what they may do, and their memory as far as others may touch it. */
import { call, path } from './client';
import type {
  AccessChangedOut,
  AccessChangeIn,
  ChangedMemberOut,
  ErasedOut,
  MadeLinkOut,
  MemberChangeIn,
  MemberOut,
  MemberPageOut,
  RemovedMemberOut,
} from './schema';

/** How many a page of the service has at most. */
const PAGE_MAX = 200;

const listMembers = (workspace: string, cursor: string | null): Promise<MemberPageOut> =>
  call('GET', path`/workspaces/${workspace}/members`, { query: { cursor, limit: PAGE_MAX } });

/** Every page of them. */
export async function allMembers(workspace: string): Promise<MemberOut[]> {
  const members: MemberOut[] = [];
  let cursor: string | null = null;
  do {
    const page = await listMembers(workspace, cursor);
    members.push(...page.members);
    cursor = page.next_cursor;
  } while (cursor);
  return members;
}

/** Names by ids, for what says who did something. */
export const memberNames = async (workspace: string): Promise<Map<string, string>> =>
  new Map((await allMembers(workspace)).map((member) => [member.user_id, member.name]));

/** Raises `last_admin` where nobody would be left to administer. */
export const changeMember = (
  workspace: string,
  user: string,
  changes: MemberChangeIn,
): Promise<ChangedMemberOut> =>
  call('PATCH', path`/workspaces/${workspace}/members/${user}`, { body: changes });

/** End a membership, also the own one. Raises `last_admin`. */
export const removeMember = (workspace: string, user: string): Promise<RemovedMemberOut> =>
  call('DELETE', path`/workspaces/${workspace}/members/${user}`);

/** Raises `forbidden` for a person who belongs to other workspaces too. */
export const makePasswordReset = (workspace: string, user: string): Promise<MadeLinkOut> =>
  call('POST', path`/workspaces/${workspace}/members/${user}/password-reset`, { body: {} });

/** Set levels in one transaction, all or none. */
export const setAccess = (workspace: string, members: AccessChangeIn[]): Promise<AccessChangedOut> =>
  call('PUT', path`/workspaces/${workspace}/memory/members/access`, { body: { members } });

/** Delete a member's personal items without seeing them; the answer counts. */
export const erasePersonal = (workspace: string, user: string): Promise<ErasedOut> =>
  call('DELETE', path`/workspaces/${workspace}/memory/members/${user}/personal`);
