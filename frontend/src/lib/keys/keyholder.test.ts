import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { KeysOut } from '../api/schema';
import { NotText, RecoveryKeyMistyped, WrongSecret } from '../crypto/errors';
import { UserKeys } from '../crypto/user-keys';
import { KeyDistrusted, KeysLocked, KnownKeysUnreadable } from './errors';
import { publicKeysJson } from './key-json';
import { Keyholder } from './keyholder';
import { KnownKeys } from './known-keys';
import { keptInMemory } from './known-keys-store';
import { type Answer, PASSPHRASE, type Person, Service } from './service.fixture';

vi.mock('../crypto/argon2', () => import('./fast-argon2.fixture'));

let service: Service;
let alice: Person;

beforeEach(async () => {
  service = new Service();
  alice = await service.join('alice');
});

const isOwn = (told: Answer): told is KeysOut => 'wrapping' in told;

it('opens keys that were set up, by passphrase and by recovery key', async () => {
  const fingerprint = await alice.holder.fingerprint();
  const elsewhere = service.browser('alice').holder;
  await elsewhere.unlock(PASSPHRASE);
  expect(await elsewhere.fingerprint()).toBe(fingerprint);
  elsewhere.lock();
  await elsewhere.unlockByRecovery(alice.recoveryKey.toLowerCase().replaceAll(' ', '-'));
  expect(await elsewhere.fingerprint()).toBe(fingerprint);
});

it('says whether the service keeps keys', async () => {
  const bob = await service.join('bob', false);
  expect([await alice.holder.hasKeys(), await bob.holder.hasKeys()]).toEqual([true, false]);
});

it('does not open with another passphrase', async () => {
  const elsewhere = service.browser('alice').holder;
  await expect(elsewhere.unlock('another')).rejects.toThrow(WrongSecret);
  expect(elsewhere.isOpen).toBe(false);
});

it('does not open with a mistyped recovery key, and asks nobody', async () => {
  const elsewhere = service.browser('alice').holder;
  await expect(elsewhere.unlockByRecovery(alice.recoveryKey.slice(1))).rejects.toThrow(RecoveryKeyMistyped);
});

it('sets keys up once', async () => {
  const again = service.browser('alice').holder.setUp('another');
  await expect(again).rejects.toMatchObject({ code: 'keys_exist' });
});

it('takes no passphrase that is no text', async () => {
  await expect(alice.holder.unlock('\ud83c')).rejects.toThrow(NotText);
});

it('sends neither passphrase nor recovery key', async () => {
  const sent = JSON.stringify([...service.keys.values()]);
  expect(sent).not.toContain(PASSPHRASE);
  expect(sent).not.toContain(alice.recoveryKey);
});

describe('locking', () => {
  it('forgets the keys', async () => {
    alice.holder.lock();
    expect(alice.holder.isOpen).toBe(false);
    expect(() => alice.holder.openKeys()).toThrow(KeysLocked);
    await expect(alice.keys.start()).rejects.toThrow(KeysLocked);
  });

  it('also forgets keys that are just being opened', async () => {
    alice.holder.lock();
    const opening = alice.holder.unlock(PASSPHRASE);
    alice.holder.lock();
    await expect(opening).rejects.toThrow(KeysLocked);
    expect(alice.holder.isOpen).toBe(false);
  });

  it('stores no keys that were being made', async () => {
    const bob = await service.join('bob', false);
    const making = bob.holder.setUp(PASSPHRASE);
    bob.holder.lock();
    await expect(making).rejects.toThrow(KeysLocked);
    expect(service.keys.has('bob')).toBe(false);
  });

  it('is told to listeners, as opening is, until they end it', async () => {
    const seen: boolean[] = [];
    const end = alice.holder.onChange(() => seen.push(alice.holder.isOpen));
    alice.holder.lock();
    await alice.holder.unlock(PASSPHRASE);
    end();
    alice.holder.lock();
    expect(seen).toEqual([false, true]);
  });
});

describe('wrapping anew', () => {
  it('changes the passphrase and keeps the recovery key', async () => {
    const elsewhere = service.browser('alice').holder;
    await elsewhere.unlockByRecovery(alice.recoveryKey);
    await elsewhere.changePassphrase('along the sea', null);
    await expect(elsewhere.unlock(PASSPHRASE)).rejects.toThrow(WrongSecret);
    await elsewhere.unlock('along the sea');
    await elsewhere.unlockByRecovery(alice.recoveryKey);
    expect(await elsewhere.fingerprint()).toBe(await alice.holder.fingerprint());
  });

  it('changes the recovery key and keeps the passphrase', async () => {
    const written = await alice.holder.newRecoveryKey(PASSPHRASE);
    await expect(alice.holder.unlockByRecovery(alice.recoveryKey)).rejects.toThrow(WrongSecret);
    await alice.holder.unlockByRecovery(written);
    await alice.holder.unlock(PASSPHRASE);
  });

  it('is refused where the service shows other keys than the open ones', async () => {
    const others = publicKeysJson((await UserKeys.generate()).publicKeys);
    service.lie = (told) => void (isOwn(told) && (told.public_keys = others));
    const before = service.writes;
    await expect(alice.holder.changePassphrase('another', PASSPHRASE)).rejects.toMatchObject({
      reason: 'other_keys',
    });
    await expect(alice.holder.newRecoveryKey(PASSPHRASE)).rejects.toThrow(KeyDistrusted);
    expect(service.writes).toBe(before);
  });

  it('needs open keys', async () => {
    alice.holder.lock();
    await expect(alice.holder.changePassphrase('another', PASSPHRASE)).rejects.toThrow(KeysLocked);
  });

  it('is proved by the passphrase or by the recovery key', async () => {
    await alice.holder.changePassphrase('along the sea', alice.recoveryKey.toLowerCase());
    const written = await alice.holder.newRecoveryKey('along the sea');
    await alice.holder.changePassphrase('over the hills', written);
    await alice.holder.unlock('over the hills');
  });

  it.each([
    ['another passphrase', () => 'another'],
    ['nothing', () => ''],
    ['the recovery key of somebody else', async () => (await service.join('bob')).recoveryKey],
  ])('is refused with %s, and nothing is sent', async (_, wrong) => {
    const present = await wrong();
    const before = service.writes;
    await expect(alice.holder.changePassphrase('a new one', present)).rejects.toThrow(WrongSecret);
    await expect(alice.holder.newRecoveryKey(present)).rejects.toThrow(WrongSecret);
    expect(service.writes).toBe(before);
  });

  it('needs no more proof right after the recovery key, and only then', async () => {
    const before = service.writes;
    await expect(alice.holder.changePassphrase('a new one', null)).rejects.toThrow(WrongSecret);
    await alice.holder.unlockByRecovery(alice.recoveryKey);
    alice.holder.lock();
    await alice.holder.unlock(PASSPHRASE);
    await expect(alice.holder.changePassphrase('a new one', null)).rejects.toThrow(WrongSecret);
    expect(service.writes).toBe(before);
    await alice.holder.unlockByRecovery(alice.recoveryKey);
    await alice.holder.changePassphrase('a new one', null);
    await expect(alice.holder.changePassphrase('a third', null)).rejects.toThrow(WrongSecret);
  });
});

it('replaces lost keys by other ones, after the password', async () => {
  const lost = service.browser('alice').holder;
  await expect(lost.replaceKeys('a third', 'wrong')).rejects.toMatchObject({ code: 'sign_in_refused' });
  const written = await lost.replaceKeys('a third', 'the password');
  expect(await lost.fingerprint()).not.toBe(await alice.holder.fingerprint());
  await lost.unlockByRecovery(written);
  await lost.unlock('a third');
});

describe('a lying service', () => {
  it('cannot weaken the passphrase', async () => {
    service.lie = (told) => void (isOwn(told) && (told.wrapping.memory_kib = 64));
    await expect(alice.holder.unlock(PASSPHRASE)).rejects.toMatchObject({ reason: 'parameters' });
  });

  it('cannot swap the own keys', async () => {
    const others = publicKeysJson((await UserKeys.generate()).publicKeys);
    service.lie = (told) => void (isOwn(told) && (told.public_keys = others));
    await expect(service.browser('alice').holder.unlock(PASSPHRASE)).rejects.toThrow(WrongSecret);
  });

  it('cannot send rubbish for keys', async () => {
    service.lie = (told) => void (isOwn(told) && (told.public_keys.x25519 = 'AAAA'));
    await expect(alice.holder.unlock(PASSPHRASE)).rejects.toMatchObject({ reason: 'public_key' });
    service.lie = (told) => void (isOwn(told) && (told.wrapping.wrapped = '!'));
    await expect(alice.holder.unlock(PASSPHRASE)).rejects.toMatchObject({ reason: 'seal' });
  });

  it('cannot pass keys of somebody else for the own ones', async () => {
    await service.join('bob');
    service.lie = (told) => void (isOwn(told) && Object.assign(told, service.keys.get('bob')));
    await expect(service.browser('alice').holder.unlock(PASSPHRASE)).rejects.toThrow(WrongSecret);
  });
});

it('stores nothing in a browser that cannot remember', async () => {
  const kept = keptInMemory();
  const failing = { ...kept, read: () => Promise.reject(new KnownKeysUnreadable()) };
  const holder = new Keyholder({
    user: 'carol',
    calls: service.callsOf('carol'),
    known: new KnownKeys(failing),
  });
  await expect(holder.setUp(PASSPHRASE)).rejects.toThrow(KnownKeysUnreadable);
  expect(service.keys.has('carol')).toBe(false);
});
