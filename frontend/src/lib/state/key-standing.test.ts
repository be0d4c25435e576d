import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerRolledBack } from '../keys/errors';
import { PASSPHRASE, type Person, Service, WORKSPACE } from '../keys/service.fixture';
import { lookAt, type Standing } from './key-standing';

vi.mock('../crypto/argon2', () => import('../keys/fast-argon2.fixture'));

let service: Service;
let alice: Person;

beforeEach(async () => {
  service = new Service();
  alice = await service.join('alice');
});

const standing = async (person: Person): Promise<Standing> =>
  (await lookAt(person.holder, WORKSPACE)).standing;

describe('where a person stands', () => {
  it('is without keys before they are set up', async () => {
    expect(await standing(await service.join('bob', false))).toBe('no-keys');
  });

  it('is locked until the passphrase was given', async () => {
    const again = service.browser('alice');
    expect(await standing(again)).toBe('locked');
    await again.holder.unlock(PASSPHRASE);
    expect(await standing(again)).toBe('no-workspace-key');
  });

  it('is open with the ring of the workspace', async () => {
    await alice.keys.start();
    const look = await lookAt(alice.holder, WORKSPACE);
    expect(look.standing).toBe('open');
    expect([...(look.ring?.keys() ?? [])]).toEqual([1]);
    expect(look.state?.epoch).toBe(1);
  });

  it('waits while somebody else holds the key, and is lost when nobody does', async () => {
    await alice.keys.start();
    const bob = await service.join('bob');
    expect(await standing(bob)).toBe('waiting');
    service.remove('alice');
    expect(await standing(bob)).toBe('lost');
  });

  it('is distrusted before a passphrase is asked for, where the service shows less than before', async () => {
    await alice.keys.start();
    alice.holder.lock();
    service.epochs = [];
    const look = await lookAt(alice.holder, WORKSPACE);
    expect(look.standing).toBe('distrusted');
    expect(look.problem).toBeInstanceOf(ServerRolledBack);
  });

  it('is failed where the service could not be asked', async () => {
    vi.spyOn(alice.holder.calls, 'workspaceKeys').mockRejectedValue(new Error('away'));
    expect(await standing(alice)).toBe('failed');
  });
});
