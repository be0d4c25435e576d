import { describe, expect, it } from 'vitest';
import { fromBase64Url, textOf, toBase64Url, utf8 } from './bytes';
import { openSealed, seal } from './envelope';
import { GrantRefused, NotText, SealBroken, WeakParameters, WrongSecret } from './errors';
import { makeGrant, openGrant } from './grants';
import { lp } from './packing';
import { CEILING, FLOOR, keyEncryptionKey } from './passphrases';
import { UserKeys, unwrapByRecovery, unwrapKeys, wrapKeys } from './user-keys';
import { alice, bob, bytes, contextOf, hex, keysOf, publicOf, vectors, wrappedOf } from './vectors.fixture';
import { WorkspaceKey, firstOfChain, openChain, proves, wrapOlder } from './workspace-keys';

const SALT = bytes(alice.salt);
const OTHER_WORKSPACE = alice.user;
const [first, second] = vectors.workspace_keys;
const keyOf = (vector: { workspace: string; epoch: number; key: string }) =>
  new WorkspaceKey(vector.workspace, vector.epoch, bytes(vector.key));

function changed(sealed: string, place: number): ReturnType<typeof bytes> {
  const copy = bytes(sealed);
  copy[place < 0 ? copy.length + place : place]! ^= 1;
  return copy;
}

describe('a sealed revision does not open', () => {
  const vector = vectors.sealed[1]!;
  const key = keyOf({ workspace: String(vector.context['workspace']), epoch: 1, key: vector.key });
  const sealed = bytes(vector.sealed);

  it.each([
    ['path', 'notes/tea.md'],
    ['version', 3],
    ['previous', '00'.repeat(32)],
    ['clear_generation', 2],
    ['kind', 'save'],
    ['author', alice.user],
  ])('with another %s', async (name, value) => {
    const context = contextOf(vector, { [name]: value });
    await expect(openSealed(key, context, sealed)).rejects.toThrow(SealBroken);
  });

  it('in another workspace, even with the same key there', async () => {
    const context = contextOf(vector, { workspace: OTHER_WORKSPACE });
    const there = new WorkspaceKey(OTHER_WORKSPACE, 1, bytes(vector.key));
    await expect(openSealed(there, context, sealed)).rejects.toThrow(SealBroken);
    await expect(openSealed(key, context, sealed)).rejects.toThrow(SealBroken);
  });

  it('in another workspace whose key of the same bytes sealed it', async () => {
    const context = contextOf(vector, { workspace: OTHER_WORKSPACE });
    const there = new WorkspaceKey(OTHER_WORKSPACE, 1, bytes(vector.key));
    const moved = await seal(there, context, 'tea');
    await expect(openSealed(key, context, moved)).rejects.toThrow(SealBroken);
  });

  it('in another epoch, even with the same key there', async () => {
    const context = contextOf(vector, { epoch: 2 });
    const there = new WorkspaceKey(key.workspace, 2, bytes(vector.key));
    await expect(openSealed(there, context, sealed)).rejects.toThrow(SealBroken);
  });

  it('with another key', async () => {
    const other = new WorkspaceKey(key.workspace, 1, bytes(second!.key));
    await expect(openSealed(other, contextOf(vector), sealed)).rejects.toThrow(SealBroken);
  });

  it.each([0, 12, -1])('with byte %i changed', async (place) => {
    await expect(openSealed(key, contextOf(vector), changed(vector.sealed, place))).rejects.toThrow(
      SealBroken,
    );
  });

  it('when it was cut', async () => {
    await expect(openSealed(key, contextOf(vector), sealed.slice(0, 27))).rejects.toThrow(SealBroken);
  });
});

describe('the seal of a proposal', () => {
  const vector = vectors.sealed.find((each) => each.label === 'wm/v1/proposal')!;
  const others = { proposal: alice.user, base: 8, clear_generation: 4 };

  it.each(Object.entries(others))('does not open with another %s', async (name, value) => {
    const context = contextOf(vector, { [name]: value });
    const key = new WorkspaceKey(context.workspace, context.epoch, bytes(vector.key));
    await expect(openSealed(key, context, bytes(vector.sealed))).rejects.toThrow(SealBroken);
  });
});

it('seals nothing for a context of another epoch than the key', async () => {
  await expect(seal(keyOf(second!), contextOf(vectors.sealed[0]!), 'tea')).rejects.toThrow(RangeError);
});

it('takes no hash of another length as the previous one', () => {
  expect(() => contextOf(vectors.sealed[0]!, { previous: '00' })).toThrow(SealBroken);
});

it('seals no half of a surrogate pair', async () => {
  await expect(seal(keyOf(first!), contextOf(vectors.sealed[0]!), 'tea \ud83c')).rejects.toThrow(NotText);
});

describe('the keys of a person do not open', () => {
  it('with another passphrase', async () => {
    await expect(unwrapKeys(wrappedOf(alice), alice.user, 'correct horse')).rejects.toThrow(WrongSecret);
  });

  it('as those of somebody else', async () => {
    await expect(unwrapKeys(wrappedOf(alice), bob.user, alice.passphrase)).rejects.toThrow(WrongSecret);
  });

  it('with another public key beside them', async () => {
    const swapped = { ...wrappedOf(alice), public: { ...publicOf(alice), ed25519: publicOf(bob).ed25519 } };
    await expect(unwrapKeys(swapped, alice.user, alice.passphrase)).rejects.toThrow(WrongSecret);
  });

  it('with other parameters than they were wrapped with', async () => {
    const heavier = { ...wrappedOf(alice), work: { ...FLOOR, passes: 4 } };
    await expect(unwrapKeys(heavier, alice.user, alice.passphrase)).rejects.toThrow(WrongSecret);
  });

  it('with another recovery key', async () => {
    const opening = unwrapByRecovery(
      bytes(alice.recovery_wrapped),
      alice.user,
      publicOf(alice),
      bytes(bob.recovery_key),
    );
    await expect(opening).rejects.toThrow(WrongSecret);
  });

  it.each(['x25519', 'ed25519'] as const)('when the %s key is not that of the private half', async (name) => {
    const mixed = { ...publicOf(alice), [name]: publicOf(bob)[name] };
    const made = UserKeys.from(bytes(alice.x25519_private), bytes(alice.ed25519_private), mixed);
    await expect(made).rejects.toThrow(WrongSecret);
  });
});

it('makes random keys that fit together and open again', async () => {
  const keys = await UserKeys.generate();
  const wrapped = await wrapKeys(keys, alice.user, 'tea at four');
  const again = await unwrapKeys(wrapped, alice.user, 'tea at four');
  expect(hex(again.privateHalves())).toBe(hex(keys.privateHalves()));
});

it('carries no private half into JSON', async () => {
  const told = JSON.stringify([await keysOf(alice), keyOf(first!)]);
  expect(told).not.toMatch(/private|secret/);
});

describe('parameters of Argon2id are refused', () => {
  it.each([
    ['too little memory', { ...FLOOR, memoryKib: FLOOR.memoryKib - 1 }],
    ['too few passes', { ...FLOOR, passes: 2 }],
    ['too few lanes', { ...FLOOR, lanes: 3 }],
    ['too much memory', { ...FLOOR, memoryKib: CEILING.memoryKib + 1 }],
    ['too many passes', { ...FLOOR, passes: 11 }],
    ['too many lanes', { ...FLOOR, lanes: 17 }],
    ['half a pass', { ...FLOOR, passes: 3.5 }],
    ['no number', { ...FLOOR, passes: NaN }],
  ])('with %s', async (_, work) => {
    await expect(keyEncryptionKey('tea', SALT, work)).rejects.toThrow(WeakParameters);
  });

  it('with a short salt', async () => {
    await expect(keyEncryptionKey('tea', SALT.slice(1), FLOOR)).rejects.toThrow(WeakParameters);
  });
});

describe('a grant', () => {
  const vector = vectors.grants[0]!;
  const grant = { sealed: bytes(vector.sealed), signature: bytes(vector.signature) };
  const granter = bytes(vector.granter_ed25519_public);

  it.each([
    ['workspace', { workspace: OTHER_WORKSPACE }],
    ['epoch', { epoch: 2 }],
    ['member', { member: alice.user }],
    ['granter', { granter: bob.user }],
  ])('is refused for another %s', async (_, others) => {
    const opening = openGrant(grant, { ...vector, ...others }, await keysOf(bob), granter);
    await expect(opening).rejects.toThrow(GrantRefused);
  });

  it('is refused when another key signed it', async () => {
    const opening = openGrant(grant, vector, await keysOf(bob), publicOf(bob).ed25519);
    await expect(opening).rejects.toThrow(GrantRefused);
  });

  it('is refused when the sealed key was swapped', async () => {
    const swapped = { ...grant, sealed: bytes(vectors.grants[1]!.sealed) };
    await expect(openGrant(swapped, vector, await keysOf(bob), granter)).rejects.toThrow(GrantRefused);
  });

  it('is refused with a pinned key that is none', async () => {
    const opening = openGrant(grant, vector, await keysOf(bob), new Uint8Array(3));
    await expect(opening).rejects.toThrow(GrantRefused);
  });

  it('does not open when it was signed, but sealed to somebody else', async () => {
    const by = { granter: alice.user, granterKeys: await keysOf(alice) };
    const toAlice = await makeGrant(keyOf(first!), { member: alice.user, memberKeys: publicOf(alice) }, by);
    const info = lp('wm/v1/grant', vector.workspace, 1, bob.user, publicOf(bob).x25519, alice.user);
    const signature = await (await keysOf(alice)).sign(lp('wm/v1/grant-sig', info, toAlice.sealed));
    const opening = openGrant({ ...toAlice, signature }, vector, await keysOf(bob), granter);
    await expect(opening).rejects.toThrow(SealBroken);
  });

  it('is not made for a public key of small order', async () => {
    const by = { granter: alice.user, granterKeys: await keysOf(alice) };
    const memberKeys = { ...publicOf(bob), x25519: new Uint8Array(32) };
    await expect(makeGrant(keyOf(first!), { member: bob.user, memberKeys }, by)).rejects.toThrow(
      GrantRefused,
    );
  });
});

describe('workspace keys', () => {
  it('are not proved by the check value of another epoch', async () => {
    expect(await proves(keyOf(first!), bytes(second!.check))).toBe(false);
  });

  it('are none without 32 bytes', () => {
    expect(() => new WorkspaceKey(first!.workspace, 1, new Uint8Array(31))).toThrow(SealBroken);
    expect(() => new WorkspaceKey(first!.workspace, 0, new Uint8Array(32))).toThrow(SealBroken);
  });

  it('keep the key of the epoch before, and no other', async () => {
    await expect(wrapOlder(keyOf(first!), keyOf(second!))).rejects.toThrow(RangeError);
  });

  it('do not open an older key in another workspace', async () => {
    const [older] = vectors.older_keys;
    const elsewhere = new WorkspaceKey(OTHER_WORKSPACE, 2, bytes(older.newer_key));
    await expect(openChain(elsewhere, new Map([[1, bytes(older.wrapped)]]))).rejects.toThrow(SealBroken);
  });

  it('make no chain of which a link is missing', async () => {
    await expect(openChain(keyOf(second!), new Map())).rejects.toThrow(SealBroken);
  });

  it('make a chain that ends where the key was begun anew', async () => {
    expect([...(await openChain(keyOf(second!), new Map(), 2)).keys()]).toEqual([2]);
    expect(firstOfChain(5, [1, 3])).toBe(3);
    expect(firstOfChain(5, [])).toBe(1);
  });
});

describe('bytes', () => {
  it.each([-1, 0.5, 2 ** 53, -1n, 1n << 64n])('pack no number like %s', (number) => {
    expect(() => lp(number)).toThrow(RangeError);
  });

  it.each(['a', 'a=', 'a+b/', 'äöüß', ' YQ'])('are not read from "%s"', (text) => {
    expect(() => fromBase64Url(text)).toThrow(SealBroken);
  });

  it('come back from base64url', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(hex(fromBase64Url(toBase64Url(all)))).toBe(hex(all));
  });

  it('that are no UTF-8 make no text', () => {
    expect(() => textOf(Uint8Array.of(0xc3))).toThrow(SealBroken);
  });

  it('of a text are its UTF-8', () => {
    expect(hex(utf8('\ufeffé🍵'))).toBe('efbbbfc3a9f09f8db5');
  });
});
