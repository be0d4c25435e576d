/**
 * Everybody in a workspace. The service lists members in pages by account; people look for names, so that all pages are
 * read, and sorted and searched here.
 */
import { currentLocale } from '../../i18n/messages.svelte';
import { allMembers } from '../api/members';
import type { MemberOut } from '../api/schema';

/** Read every page. Raises ApiError and Unreachable. */
export async function everybody(workspace: string): Promise<MemberOut[]> {
  return sorted(await allMembers(workspace));
}

const sorted = (members: readonly MemberOut[]): MemberOut[] => {
  const order = new Intl.Collator(currentLocale(), { sensitivity: 'base', numeric: true });
  return [...members].sort((a, b) => order.compare(a.name, b.name) || order.compare(a.email, b.email));
};

/** Those whose name or address contains every word, without regard to case and accents. */
export function matching(members: readonly MemberOut[], words: string): MemberOut[] {
  const wanted = folded(words).split(/\s+/).filter(Boolean);
  return members.filter((each) => {
    const text = folded(`${each.name} ${each.email}`);
    return wanted.every((word) => text.includes(word));
  });
}

/** The list with some of its members as they are now. */
export function replaced(members: readonly MemberOut[], changed: readonly MemberOut[]): MemberOut[] {
  const now = new Map(changed.map((each) => [each.user_id, each]));
  return members.map((each) => now.get(each.user_id) ?? each);
}

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();
