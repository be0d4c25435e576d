import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { WorkspaceKeysOut } from '../api/schema';
import { toBase64Url } from '../crypto/bytes';
import { makeGrant } from '../crypto/grants';
import { UserKeys, fingerprintOf } from '../crypto/user-keys';
import { WorkspaceKey, checkValue } from '../crypto/workspace-keys';
import {
  KeyDistrusted,
  KeyStillHeld,
  NoKeysYet,
  NotAMember,
  NotConfirmed,
  OtherEpoch,
  PinnedKeyChanged,
  ServerRolledBack,
  WaitingForKey,
} from './errors';
import { publicKeysJson } from './key-json';
import { type Answer, PASSPHRASE, type Person, Service, WORKSPACE, grantTo } from './service.fixture';
import type { Keyring } from './workspace-keyholder';

vi.mock('../crypto/argon2', () => import('./fast-argon2.fixture'));

let service: Service;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  service = new Service();
  alice = await service.join('alice');
  bob = await service.join('bob');
});

const secret = (key: WorkspaceKey): string => `${key.epoch} ${toBase64Url(key.secret())}`;
const secrets = (ring: Keyring): string[] => [...ring.values()].map(secret);
const isState = (told: Answer): told is WorkspaceKeysOut => 'members' in told;
const lieAboutState = (lie: (told: WorkspaceKeysOut, user: string) => void): void => {
  service.lie = (told, user) => void (isState(told) && lie(told, user));
};

/** Show the service's own public keys in the place of a member's. */
const swapKeys = (name: string, keys: UserKeys) => (told: WorkspaceKeysOut) => {
  for (const member of told.members) {
    if (member.user_id === name) member.public_keys = publicKeysJson(keys.publicKeys);
  }
};

describe('a workspace key', () => {
  it('is shared by a grant', async () => {
    const key = await alice.keys.start();
    await expect(bob.keys.key()).rejects.toThrow(WaitingForKey);
    const shown = await alice.keys.acquaintance('bob');
    expect(shown).toMatchObject({ name: 'bob', email: 'bob@example.com', known: false });
    expect(shown.fingerprint).toBe(await bob.holder.fingerprint());
    await alice.keys.grant('bob', shown.fingerprint);
    expect(secret(await bob.keys.key())).toBe(secret(key));
    expect((await alice.keys.acquaintance('bob')).known).toBe(true);
  });

  it('is awaited with the names of those who can help', async () => {
    await alice.keys.start();
    const error = await bob.keys.key().catch((raised: unknown) => raised);
    expect(error).toMatchObject({ lost: false, holders: [{ name: 'alice', email: 'alice@example.com' }] });
  });

  it('is started once', async () => {
    await alice.keys.start();
    await expect(alice.keys.start()).rejects.toThrow(OtherEpoch);
  });

  it('is opened in another browser with the same keys', async () => {
    const key = await alice.keys.start();
    const elsewhere = service.browser('alice');
    await elsewhere.holder.unlock(PASSPHRASE);
    expect(secret(await elsewhere.keys.key())).toBe(secret(key));
  });

  it('is not granted to a fingerprint that nobody confirmed', async () => {
    await alice.keys.start();
    const before = service.writes;
    await expect(alice.keys.grant('bob', await alice.holder.fingerprint())).rejects.toThrow(NotConfirmed);
    expect(service.writes).toBe(before);
    expect(await alice.known.accepted('bob')).toBeNull();
  });

  it('is not granted to who has no keys, or is no member', async () => {
    await alice.keys.start();
    await service.join('carol', false);
    await expect(alice.keys.grant('carol', 'any')).rejects.toThrow(NoKeysYet);
    await expect(alice.keys.acquaintance('mallory')).rejects.toThrow(NotAMember);
  });
});

describe('the next key', () => {
  it('is made after somebody has left, and opens what is older', async () => {
    const carol = await service.join('carol');
    const first = await alice.keys.start();
    await grantTo(alice, bob);
    await grantTo(alice, carol);
    expect(secret(await alice.keys.rotate())).toBe(secret(first));
    service.remove('carol');
    const second = await alice.keys.rotate();
    expect(secrets(await alice.keys.keyring())).toEqual([secret(second), secret(first)]);
    expect(secrets(await bob.keys.keyring())).toEqual([secret(second), secret(first)]);
  });

  it('is made for strangers only once they are confirmed', async () => {
    const carol = await service.join('carol');
    await alice.keys.start();
    await grantTo(alice, bob);
    await grantTo(alice, carol);
    const strangers = await bob.keys.strangers();
    expect(strangers.map((each) => each.name)).toEqual(['alice', 'carol']);
    const some = new Map([['alice', strangers[0]!.fingerprint]]);
    await expect(bob.keys.rotate(some, true)).rejects.toMatchObject({ user: 'carol' });
    expect((await bob.keys.key()).epoch).toBe(1);
    const all = new Map(strangers.map((each) => [each.user, each.fingerprint]));
    const key = await bob.keys.rotate(all, true);
    expect(secret(await carol.keys.key())).toBe(secret(key));
    expect(await bob.keys.strangers()).toEqual([]);
  });
});

describe('replaced keys', () => {
  it('of a member are trusted again after they were compared', async () => {
    await alice.keys.start();
    await grantTo(alice, bob);
    await bob.holder.replaceKeys('a third passphrase', 'the password');
    await alice.keys.rotate();
    const changed = await alice.keys.acquaintance('bob').catch((raised: unknown) => raised);
    expect(changed).toBeInstanceOf(PinnedKeyChanged);
    expect(changed).toMatchObject({ person: 'bob', presented: await bob.holder.fingerprint() });
    await expect(alice.keys.grant('bob', await bob.holder.fingerprint())).rejects.toThrow(PinnedKeyChanged);
    await expect(alice.keys.trustAgain('bob', 'another')).rejects.toThrow(NotConfirmed);
    await alice.keys.trustAgain('bob', await bob.holder.fingerprint());
    await grantTo(alice, bob);
    expect((await bob.keys.key()).epoch).toBe(2);
  });
});

describe('a lying service', () => {
  it('shows swapped keys by another fingerprint', async () => {
    await alice.keys.start();
    const others = await UserKeys.generate();
    lieAboutState(swapKeys('bob', others));
    expect((await alice.keys.acquaintance('bob')).fingerprint).toBe(await fingerprintOf(others.publicKeys));
    await expect(grantTo(alice, bob)).rejects.toThrow(NotConfirmed);
  });

  it('cannot swap the keys of a member who is known', async () => {
    await alice.keys.start();
    await grantTo(alice, bob);
    lieAboutState(swapKeys('bob', await UserKeys.generate()));
    const before = service.writes;
    await expect(alice.keys.rotate(new Map(), true)).rejects.toThrow(PinnedKeyChanged);
    await expect(alice.keys.grant('bob', await bob.holder.fingerprint())).rejects.toThrow(PinnedKeyChanged);
    expect(service.writes).toBe(before);
  });

  /** Give a member a key of the service's own, said to come from somebody else, with a fitting check value. */
  async function forgedGrant(person: Person, granter: string): Promise<(told: WorkspaceKeysOut) => void> {
    const granterKeys = await UserKeys.generate();
    const key = WorkspaceKey.generate(WORKSPACE);
    const memberKeys = person.holder.openKeys().publicKeys;
    const grant = await makeGrant(key, { member: person.name, memberKeys }, { granter, granterKeys });
    const check = toBase64Url(await checkValue(key));
    return (told) => {
      told.own_grant = {
        granter_id: granter,
        granter_ed25519: toBase64Url(granterKeys.publicKeys.ed25519),
        member_public: toBase64Url(memberKeys.x25519),
        sealed: toBase64Url(grant.sealed),
        signature: toBase64Url(grant.signature),
        created_at: '2026-11-02T09:00:00Z',
      };
      told.epochs[0]!.check_value = check;
      swapKeys(granter, granterKeys)(told);
    };
  }

  it('cannot grant a key of its own in the name of a granter who is known', async () => {
    await alice.keys.start();
    await grantTo(alice, bob);
    await bob.keys.key();
    lieAboutState(await forgedGrant(bob, 'alice'));
    await expect(bob.keys.key()).rejects.toThrow(PinnedKeyChanged);
  });

  it('cannot grant a key of its own in the own name', async () => {
    await alice.keys.start();
    lieAboutState(await forgedGrant(alice, 'alice'));
    await expect(alice.keys.key()).rejects.toMatchObject({ reason: 'signature' });
  });

  it('cannot swap the check value', async () => {
    await alice.keys.start();
    lieAboutState((told) => (told.epochs[0]!.check_value = toBase64Url(new Uint8Array(32))));
    await expect(alice.keys.key()).rejects.toMatchObject({ reason: 'check_value' });
  });

  it('cannot swap the check value of an older key', async () => {
    await alice.keys.start();
    await alice.keys.rotate(new Map(), true);
    lieAboutState((told) => (told.epochs[1]!.check_value = toBase64Url(new Uint8Array(32))));
    await expect(alice.keys.keyring()).rejects.toMatchObject({ reason: 'check_value' });
  });

  it('cannot take an epoch back', async () => {
    await alice.keys.start();
    const before = structuredClone(await service.callsOf('alice').workspaceKeys(WORKSPACE));
    await alice.keys.rotate(new Map(), true);
    lieAboutState((told) => void Object.assign(told, before));
    await expect(alice.keys.key()).rejects.toThrow(ServerRolledBack);
  });

  it('cannot leave out the end of the chain', async () => {
    await alice.keys.start();
    await alice.keys.rotate(new Map(), true);
    lieAboutState((told) => {
      told.epochs.length = 1;
      told.epochs[0]!.older_sealed = null;
    });
    await expect(alice.keys.keyring()).rejects.toMatchObject({ reason: 'seal' });
  });

  it('cannot say that a key is lost which was opened here', async () => {
    await alice.keys.start();
    await alice.keys.rotate(new Map(), true);
    await alice.keys.keyring();
    lieAboutState((told) => (told.epochs[0]!.older_sealed = null));
    await expect(alice.keys.keyring()).rejects.toMatchObject({ reason: 'chain' });
  });

  it('cannot send half a key for a member', async () => {
    await alice.keys.start();
    lieAboutState((told) => (told.members[1]!.public_keys!.x25519 = 'AAAA'));
    await expect(alice.keys.acquaintance('bob')).rejects.toThrow(KeyDistrusted);
  });
});

describe('a key that nobody holds any more', () => {
  beforeEach(async () => {
    await bob.keys.start();
    service.remove('bob');
  });

  it('is told, and begun anew by naming it', async () => {
    await expect(alice.keys.key()).rejects.toMatchObject({ code: 'waiting_for_key', lost: true });
    await expect(alice.keys.start()).rejects.toThrow(OtherEpoch);
    await expect(alice.keys.start(2)).rejects.toThrow(OtherEpoch);
    const second = await alice.keys.start(1);
    expect(secrets(await alice.keys.keyring())).toEqual([secret(second)]);
    const third = await alice.keys.rotate(new Map(), true);
    expect(secrets(await alice.keys.keyring())).toEqual([secret(third), secret(second)]);
  });

  it('is not begun anew while somebody holds it', async () => {
    await alice.keys.start(1);
    await expect(alice.keys.start(2)).rejects.toThrow(KeyStillHeld);
  });

  it('is believed by who had opened an older chain', async () => {
    const second = await alice.keys.start(1);
    await alice.keys.rotate(new Map(), true);
    await alice.keys.keyring();
    service.grants.clear();
    const fourth = await alice.keys.start(3);
    expect(secrets(await alice.keys.keyring())).toEqual([secret(fourth)]);
    expect(second.epoch).toBe(2);
  });
});
