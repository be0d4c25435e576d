import { describe, expect, it } from 'vitest';
import { SEAL_BYTES, sha256 } from './aead';
import { byteLength, toBase64Url } from './bytes';
import { openSealed, seal } from './envelope';
import { makeGrant, openGrant } from './grants';
import { signWrapping } from './key-wrapping';
import { type Part as LpPart, lp } from './packing';
import { FLOOR, keyEncryptionKey } from './passphrases';
import { readRecoveryKey, writeRecoveryKey } from './recovery-keys';
import { sealForSession } from './session-sealing';
import { fingerprintOf, unwrapByRecovery, unwrapKeys, wrapForRecovery, wrapKeys } from './user-keys';
import {
  alice,
  bob,
  bytes,
  contextOf,
  hex,
  keysOf,
  publicOf,
  sealedTexts,
  vectors,
  workOf,
  wrappedOf,
} from './vectors.fixture';
import type { Part, UserVector } from './vectors.fixture';
import { WorkspaceKey, checkValue, openChain, proves, signCheck, wrapOlder } from './workspace-keys';

const [older] = vectors.older_keys;
const [session] = vectors.key_sessions;
const [rewrap] = vectors.rewrap_signatures;
const people: [string, UserVector][] = [
  ['alice', alice],
  ['bob', bob],
];

function lpPart(part: Part): LpPart {
  if ('text' in part) return part.text;
  return 'hex' in part ? bytes(part.hex) : BigInt(part.u64);
}

it.each(vectors.lp)('LP packs as the vector says: $packed', ({ parts, packed }) => {
  expect(hex(lp(...parts.map(lpPart)))).toBe(packed);
});

it.each(vectors.key_encryption_key)('$passphrase with $passes passes gives the key', async (vector) => {
  const kek = await keyEncryptionKey(vector.passphrase, bytes(vector.salt), workOf(vector));
  expect(hex(kek)).toBe(vector.kek);
});

describe.each(people)('the keys of %s', (_, who) => {
  it('open with the passphrase', async () => {
    const keys = await unwrapKeys(wrappedOf(who), who.user, who.passphrase);
    expect(hex(keys.privateHalves())).toBe(who.x25519_private + who.ed25519_private);
  });

  it('are wrapped into the same bytes', async () => {
    const frozen = { salt: bytes(who.salt), nonce: bytes(who.nonce) };
    const { wrapped } = await wrapKeys(await keysOf(who), who.user, who.passphrase, FLOOR, frozen);
    expect(hex(wrapped)).toBe(who.wrapped);
  });

  it('open with the recovery key', async () => {
    const recovery = await readRecoveryKey(who.recovery_key_written);
    const keys = await unwrapByRecovery(bytes(who.recovery_wrapped), who.user, publicOf(who), recovery);
    expect(hex(keys.privateHalves())).toBe(who.x25519_private + who.ed25519_private);
  });

  it('are wrapped for the recovery key into the same bytes', async () => {
    const nonce = bytes(who.recovery_nonce);
    const wrapped = await wrapForRecovery(await keysOf(who), who.user, bytes(who.recovery_key), nonce);
    expect(hex(wrapped)).toBe(who.recovery_wrapped);
  });

  it('have the fingerprint', async () => {
    expect(await fingerprintOf(publicOf(who))).toBe(who.fingerprint);
  });

  it('have the recovery key written in the same way', async () => {
    expect(await writeRecoveryKey(bytes(who.recovery_key))).toBe(who.recovery_key_written);
  });
});

it('signs a new wrapping into the same signature', async () => {
  const wrapping = {
    salt: bytes(rewrap.salt),
    work: workOf(rewrap),
    wrapped: bytes(rewrap.wrapped),
    recoveryWrapped: bytes(rewrap.recovery_wrapped),
  };
  const signature = await signWrapping(await keysOf(alice), rewrap.user, rewrap.version, wrapping);
  expect(hex(signature)).toBe(rewrap.signature);
});

describe.each(vectors.workspace_keys)('the workspace key of epoch $epoch', (vector) => {
  const key = new WorkspaceKey(vector.workspace, vector.epoch, bytes(vector.key));

  it('has the check value, and is proved by it', async () => {
    expect(hex(await checkValue(key))).toBe(vector.check);
    expect(await proves(key, bytes(vector.check))).toBe(true);
  });

  it('has its check value signed into the same signature', async () => {
    const signature = await signCheck(
      await keysOf(alice),
      vector.workspace,
      vector.epoch,
      bytes(vector.check),
    );
    expect(hex(signature)).toBe(vector.check_signature);
  });
});

describe.each(vectors.grants)('the grant of epoch $epoch', (vector) => {
  // Its signature is over the info, so that it opens for the same info alone.
  it('opens', async () => {
    const grant = { sealed: bytes(vector.sealed), signature: bytes(vector.signature) };
    const key = await openGrant(grant, vector, await keysOf(bob), bytes(vector.granter_ed25519_public));
    expect(hex(key.secret())).toBe(vector.key);
  });

  it('made here opens as well', async () => {
    const key = new WorkspaceKey(vector.workspace, vector.epoch, bytes(vector.key));
    const by = { granter: alice.user, granterKeys: await keysOf(alice) };
    const grant = await makeGrant(key, { member: bob.user, memberKeys: publicOf(bob) }, by);
    const opened = await openGrant(grant, vector, await keysOf(bob), publicOf(alice).ed25519);
    expect([grant.sealed.length, grant.signature.length, hex(opened.secret())]).toEqual([80, 64, vector.key]);
  });
});

describe('the older key', () => {
  const newer = new WorkspaceKey(older.workspace, older.newer_epoch, bytes(older.newer_key));

  it('is wrapped into the same bytes', async () => {
    const first = new WorkspaceKey(older.workspace, 1, bytes(older.older_key));
    expect(hex(await wrapOlder(newer, first, bytes(older.nonce)))).toBe(older.wrapped);
  });

  it('opens by the newer one', async () => {
    const chain = await openChain(newer, new Map([[1, bytes(older.wrapped)]]));
    expect(hex(chain.get(1)!.secret())).toBe(older.older_key);
  });
});

describe.each(sealedTexts)('the text sealed as $label with $nonce', (vector) => {
  const context = contextOf(vector);
  const key = new WorkspaceKey(context.workspace, context.epoch, bytes(vector.key));

  it('has the same associated data', () => {
    expect(hex(context.aad)).toBe(vector.aad);
  });

  it('is sealed into the same bytes', async () => {
    expect(hex(await seal(key, context, vector.text, bytes(vector.nonce)))).toBe(vector.sealed);
  });

  it('opens, character by character', async () => {
    expect(await openSealed(key, context, bytes(vector.sealed))).toBe(vector.text);
  });

  it('shows its length and its hash without a key', async () => {
    const sealed = bytes(vector.sealed);
    expect(sealed.length - SEAL_BYTES).toBe(byteLength(vector.text));
    expect(hex(await sha256(sealed))).toBe(vector.sha256);
  });
});

it('seals a key for a key session into the same bytes', async () => {
  const key = new WorkspaceKey(session.workspace, session.epoch, bytes(session.key));
  const sealed = await sealForSession(key, bytes(session.token), session.user, bytes(session.open_nonce));
  expect(hex(sealed)).toBe(session.open_request);
  expect(toBase64Url(bytes(session.token))).toBe(session.token_written);
});
