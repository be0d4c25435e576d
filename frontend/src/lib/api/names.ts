/** Names of the members of a workspace by their ids, for what says who did something. */
import { call, path } from './client';
import type { MemberPageOut } from './schema';

const PAGE = 200;

export async function memberNames(workspace: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  let after: string | null | undefined;
  do {
    const page: MemberPageOut = await call('GET', path`/workspaces/${workspace}/members`, {
      query: { after, limit: PAGE },
    });
    for (const member of page.members) names.set(member.user_id, member.name);
    after = page.next_cursor;
  } while (after);
  return names;
}
