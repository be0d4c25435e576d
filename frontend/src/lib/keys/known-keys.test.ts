import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toBase64Url } from '../crypto/bytes';
import { type PublicKeys, UserKeys, fingerprintOf } from '../crypto/user-keys';
import { KnownKeysUnreadable, PinnedKeyChanged, ServerRolledBack } from './errors';
import { KnownKeys, emptyRecord } from './known-keys';
import { checkedRecord, keptInMemory } from './known-keys-store';

const BOB = 'bob';
const HERE = 'w-1';

let keys: PublicKeys;
let others: PublicKeys;
let known: KnownKeys;

beforeAll(async () => {
  keys = (await UserKeys.generate()).publicKeys;
  others = (await UserKeys.generate()).publicKeys;
});

beforeEach(() => {
  known = new KnownKeys(keptInMemory());
});

describe('keys of people', () => {
  it('that were compared are known to whoever shares the store', async () => {
    const store = keptInMemory();
    await new KnownKeys(store).accept(BOB, keys);
    expect(await new KnownKeys(store).accepted(BOB)).toEqual(keys);
    expect(await new KnownKeys(store).accepted('carol')).toBeNull();
  });

  it('that are other ones are refused with both fingerprints', async () => {
    await known.accept(BOB, keys);
    const error = await known.require(BOB, 'bob', others).catch((raised: unknown) => raised);
    expect(error).toBeInstanceOf(PinnedKeyChanged);
    const fingerprints = { known: await fingerprintOf(keys), presented: await fingerprintOf(others) };
    expect(error).toMatchObject({ user: BOB, person: 'bob', ...fingerprints });
  });

  it.each(['x25519', 'ed25519'] as const)('are other ones when only the %s is', async (half) => {
    await known.accept(BOB, keys);
    const swapped = { ...keys, [half]: others[half] };
    await expect(known.require(BOB, 'bob', swapped)).rejects.toThrow(PinnedKeyChanged);
  });

  it('are not known by being met', async () => {
    await known.require(BOB, 'bob', keys);
    expect(await known.accepted(BOB)).toBeNull();
  });

  it('may belong to somebody with a peculiar id', async () => {
    await known.accept('__proto__', keys);
    expect(await known.accepted('__proto__')).toEqual(keys);
    expect(await known.accepted('constructor')).toBeNull();
  });
});

describe('a signer', () => {
  it('is trusted on first use and held against the next', async () => {
    await known.requireSigner(BOB, 'bob', keys.ed25519);
    await known.requireSigner(BOB, 'bob', keys.ed25519);
    await expect(known.requireSigner(BOB, 'bob', others.ed25519)).rejects.toThrow(PinnedKeyChanged);
  });

  it('stays right with keys that were accepted before', async () => {
    await known.accept(BOB, keys);
    await known.accept(BOB, others);
    await known.requireSigner(BOB, 'bob', keys.ed25519);
    await known.requireSigner(BOB, 'bob', others.ed25519);
    expect(await known.accepted(BOB)).toEqual(others);
  });

  it('who was only met is forgotten once the person is compared', async () => {
    await known.requireSigner(BOB, 'bob', others.ed25519);
    await known.accept(BOB, keys);
    await expect(known.requireSigner(BOB, 'bob', others.ed25519)).rejects.toThrow(PinnedKeyChanged);
  });
});

describe('marks', () => {
  it('only go up', async () => {
    expect(await known.mark(HERE, 'document')).toBe(0);
    await known.advance(HERE, 'document', 7);
    await known.advance(HERE, 'document', 7);
    const error = await known.advance(HERE, 'document', 6).catch((raised: unknown) => raised);
    expect(error).toBeInstanceOf(ServerRolledBack);
    expect(error).toMatchObject({ what: 'document', seen: 7, presented: 6 });
    expect([await known.mark(HERE, 'document'), await known.mark(HERE, 'epoch')]).toEqual([7, 0]);
    expect(await known.mark('w-2', 'document')).toBe(0);
  });

  it('that another tab has moved meanwhile are no rollback', async () => {
    const seen = await known.mark(HERE, 'document');
    await known.advance(HERE, 'document', 7);
    await known.advance(HERE, 'document', 6, seen);
    expect(await known.mark(HERE, 'document')).toBe(7);
    await expect(known.advance(HERE, 'document', 6, 7)).rejects.toThrow(ServerRolledBack);
  });
});

describe('a record', () => {
  const damaged = (change: Partial<Record<keyof ReturnType<typeof emptyRecord>, unknown>>) => ({
    ...emptyRecord(),
    ...change,
  });

  it('that is not there is an empty one', () => {
    expect(checkedRecord(undefined)).toEqual(emptyRecord());
  });

  it('that was kept comes back', () => {
    const ed25519 = toBase64Url(keys.ed25519);
    const record = damaged({
      people: new Map([[BOB, [{ x25519: toBase64Url(keys.x25519), ed25519 }]]]),
      signers: new Map([[BOB, [ed25519]]]),
      marks: new Map([[HERE, new Map([['epoch', 1]])]]),
    });
    expect(checkedRecord(record)).toBe(record);
  });

  it.each([
    ['null', null],
    ['a text', 'x'],
    ['without people', damaged({ people: undefined })],
    ['with pins that are none', damaged({ people: new Map([[BOB, [{ x25519: 'AAAA', ed25519: 'AAAA' }]]]) })],
    ['with an empty list', damaged({ people: new Map([[BOB, []]]) })],
    ['with a signer that is none', damaged({ signers: new Map([[BOB, ['']]]) })],
    ['with a negative mark', damaged({ marks: new Map([[HERE, new Map([['epoch', -1]])]]) })],
  ])('%s is refused and not begun again', (_, kept) => {
    expect(() => checkedRecord(kept)).toThrow(KnownKeysUnreadable);
  });
});
