/** What became of a write, also where its answer was lost. */
import { describe, expect, it } from 'vitest';
import { ApiError, Unreachable } from '../api/errors';
import { toBase64Url, fromBase64Url } from '../crypto/bytes';
import { sha256 } from '../crypto/aead';
import { noPrevious } from '../crypto/envelope';
import { WorkspaceKey } from '../crypto/workspace-keys';
import { KnownKeys } from '../keys/known-keys';
import { keptInMemory } from '../keys/known-keys-store';
import { type WriteCalls, writeMemory } from './writing';

const key = WorkspaceKey.generate('acme');
const sealer = { workspace: 'acme', user: 'alice', keys: new Map([[1, key]]) };
const head = { version: 4, live: true, clearGeneration: 2, sha256: noPrevious() };
const refusal = (status: number, code: string) => new ApiError(status, code, '', {}, undefined);

/** A service that answers the write with `error`, and holds `newest` afterwards. */
class Service implements WriteCalls {
  sent: Record<string, unknown>[] = [];
  constructor(
    readonly error: Error | null,
    readonly after: { newest: number; isOwn?: boolean } | null = null,
  ) {}

  async write(write: { headers: Record<string, string>; body: { ciphertext: string } }) {
    this.sent.push({ ...write.headers, ...write.body });
    if (this.error) throw this.error;
    return { version: 5, clear_generation: write.headers['X-Memory-Clear'] ? 3 : 2 };
  }
  apply = (_: string, write: Parameters<WriteCalls['write']>[0]) => this.write(write);
  remove = async () => ({ version: 5, clear_generation: 3 });
  async newest() {
    if (!this.after) throw new Unreachable();
    return this.after.newest;
  }
  async hashOf(version: number) {
    expect(version).toBe(5);
    const own = await sha256(fromBase64Url(String(this.sent[0]?.['ciphertext'])));
    return toBase64Url(this.after?.isOwn ? own : noPrevious());
  }
}

const write = async (service: Service, kind: 'save' | 'clear' = 'save') => {
  const known = new KnownKeys(keptInMemory());
  const intent = kind === 'save' ? { kind, text: '- Tea', head } : { kind, head };
  const outcome = await writeMemory(service, sealer, known, intent);
  return { outcome, mark: await known.mark('acme', 'document') };
};

describe('a write', () => {
  it('is one request with its base version and a sealed text', async () => {
    const service = new Service(null);
    const { outcome, mark } = await write(service);
    expect(outcome).toMatchObject({ as: 'saved', found: false, document: { version: 5, text: '- Tea' } });
    expect(mark).toBe(5);
    expect(service.sent).toHaveLength(1);
    expect(service.sent[0]).toMatchObject({ 'X-Base-Version': '4' });
    expect(JSON.stringify(service.sent)).not.toContain('Tea');
  });

  it('that is a Clear says so, and goes on with the next generation', async () => {
    const service = new Service(null);
    const { outcome } = await write(service, 'clear');
    expect(outcome).toMatchObject({ document: { text: '', clearGeneration: 3 } });
    expect(service.sent[0]).toMatchObject({ 'X-Memory-Clear': '1' });
  });

  it.each([
    ['another write won', refusal(409, 'version_conflict'), { as: 'conflict' }],
    ['the disk is full', refusal(507, 'storage_full'), { as: 'failed', lost: false }],
    ['the session has ended', refusal(401, 'not_authenticated'), { as: 'failed', lost: false }],
    ['the service is busy', refusal(503, 'busy'), { as: 'failed', lost: false }],
  ])('changes nothing where %s, and nothing is looked for', async (_, error, expected) => {
    const service = new Service(error);
    expect((await write(service)).outcome).toMatchObject(expected);
    expect(service.sent).toHaveLength(1);
  });
});

describe('a write whose answer was lost', () => {
  const LOST = [new Unreachable(), refusal(502, 'unexpected_answer'), refusal(500, 'internal_error')];

  it.each(LOST)('was written where the service has it: %s', async (error) => {
    const { outcome, mark } = await write(new Service(error, { newest: 5, isOwn: true }));
    expect(outcome).toMatchObject({ as: 'saved', found: true, document: { version: 5 } });
    expect(mark).toBe(5);
  });

  it.each(LOST)('was written also where somebody has saved since: %s', async (error) => {
    const { outcome } = await write(new Service(error, { newest: 7, isOwn: true }));
    expect(outcome).toMatchObject({ as: 'saved', document: { version: 5 } });
  });

  it.each(LOST)('was not written where the service has the version before: %s', async (error) => {
    const { outcome } = await write(new Service(error, { newest: 4 }));
    expect(outcome).toMatchObject({ as: 'failed', lost: true });
  });

  it.each(LOST)('lost against another one that the service has: %s', async (error) => {
    const { outcome } = await write(new Service(error, { newest: 5 }));
    expect(outcome).toEqual({ as: 'conflict' });
  });

  it.each(LOST)('is uncertain where nobody can be asked: %s', async (error) => {
    const service = new Service(error);
    expect((await write(service)).outcome).toMatchObject({ as: 'unknown' });
    expect(service.sent).toHaveLength(1);
  });
});
