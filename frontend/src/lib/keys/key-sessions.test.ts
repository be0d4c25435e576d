import { expect, it, vi } from 'vitest';
import type { KeySessionIn } from '../api/schema';
import { deriveKey, openBytes } from '../crypto/aead';
import { fromBase64Url } from '../crypto/bytes';
import { lp } from '../crypto/packing';
import { WaitingForKey } from './errors';
import type { KeySessionCalls } from './key-calls';
import { KeySessions } from './key-sessions';
import { Service, WORKSPACE } from './service.fixture';

vi.mock('../crypto/argon2', () => import('./fast-argon2.fixture'));

const SESSION = {
  id: 's-1',
  name: 'browser',
  epoch: 1,
  way: 'cookie' as const,
  opened_at: '2026-11-02T09:00:00Z',
  expires_at: '2026-11-02T21:00:00Z',
};

function recorded(): KeySessionCalls & {
  opened: { body: KeySessionIn; token: string }[];
  revoked: string[];
} {
  const opened: { body: KeySessionIn; token: string }[] = [];
  const revoked: string[] = [];
  return {
    opened,
    revoked,
    openKeySession: async (_, body, token) => {
      opened.push({ body, token });
      return SESSION;
    },
    listKeySessions: async () => [{ ...SESSION, held: true, here: false }],
    revokeKeySession: async (_, session) => void revoked.push(session),
  };
}

it('opens with the newest key, sealed under a token that is sent beside it', async () => {
  const alice = await new Service().join('alice');
  const key = await alice.keys.start();
  const calls = recorded();
  expect(await new KeySessions(calls, alice.keys).open('browser')).toEqual(SESSION);
  const { body, token } = calls.opened[0]!;
  expect(body).toMatchObject({ name: 'browser', epoch: 1, way: 'cookie' });
  const secret = fromBase64Url(token);
  const aad = lp('wm/v1/ks-open', 'alice', WORKSPACE, 1);
  const opened = await openBytes(await deriveKey(secret, 'wm/v1/ks-open'), aad, fromBase64Url(body.sealed));
  expect([secret.length, opened]).toEqual([32, key.secret()]);
});

it('hands out the token of a session for a program, which becomes no cookie', async () => {
  const alice = await new Service().join('alice');
  await alice.keys.start();
  const calls = recorded();
  const { token } = await new KeySessions(calls, alice.keys).openForProgram('agent');
  expect(calls.opened[0]).toMatchObject({ body: { name: 'agent', way: 'header' }, token });
});

it('takes another token each time', async () => {
  const alice = await new Service().join('alice');
  await alice.keys.start();
  const calls = recorded();
  const sessions = new KeySessions(calls, alice.keys);
  await sessions.open('one');
  await sessions.open('two');
  expect(new Set(calls.opened.map((each) => each.token)).size).toBe(2);
});

it('opens none without the workspace key', async () => {
  const alice = await new Service().join('alice');
  const calls = recorded();
  await expect(new KeySessions(calls, alice.keys).open('browser')).rejects.toThrow(WaitingForKey);
  expect(calls.opened).toEqual([]);
});

it('lists and revokes', async () => {
  const alice = await new Service().join('alice');
  const calls = recorded();
  const sessions = new KeySessions(calls, alice.keys);
  expect((await sessions.list()).map((each) => each.held)).toEqual([true]);
  await sessions.revoke('s-1');
  expect(calls.revoked).toEqual(['s-1']);
});
