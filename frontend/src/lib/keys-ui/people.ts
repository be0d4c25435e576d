/** Members as they are told of in a sentence. */
import { currentLocale } from '../../i18n/messages.svelte';
import type { KeyMemberOut } from '../api/schema';
import { fingerprintOf } from '../crypto/user-keys';
import { readPublicKeys } from '../keys/key-json';

/** "Alice, Bob and Carol", as the chosen language does. */
export const namesOf = (people: readonly { name: string }[]): string =>
  new Intl.ListFormat(currentLocale()).format(people.map((each) => each.name));

/** Those who may start the key of the workspace. */
export const starters = (members: readonly KeyMemberOut[]): KeyMemberOut[] =>
  members.filter((each) => each.role !== 'viewer');

/** The fingerprint of a member's keys as the service tells them; null for none. Raises KeyDistrusted. */
export const toldFingerprint = async (member: KeyMemberOut | undefined): Promise<string | null> =>
  member?.public_keys ? fingerprintOf(readPublicKeys(member.public_keys)) : null;
