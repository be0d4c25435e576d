/** What became of a write, also where its answer was lost. */
import { describe, expect, it } from 'vitest';
import { ApiError, Unreachable } from '../api/errors';
import { toBase64Url, fromBase64Url } from '../crypto/bytes';
import { sha256 } from '../crypto/aead';
import { noPrevious } from '../crypto/envelope';
import { WorkspaceKey } from '../crypto/workspace-keys';
import { KnownKeysUnreadable } from '../keys/errors';
import { KnownKeys, type KnownKeysStore } from '../keys/known-keys';
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
    public after: { newest: number; isOwn?: boolean; deletedBy?: string } | null = null,
  ) {}

  async write(write: { headers: Record<string, string>; body: { ciphertext: string } }) {
    this.sent.push({ ...write.headers, ...write.body });
    if (this.error) throw this.error;
    return { version: 5, clear_generation: write.headers['X-Memory-Clear'] ? 3 : 2 };
  }
  apply = (_: string, write: Parameters<WriteCalls['write']>[0]) => this.write(write);
  async remove() {
    if (this.error) throw this.error;
    return { version: 5, clear_generation: 3 };
  }
  async newest() {
    if (!this.after) throw new Unreachable();
    return this.after.newest;
  }
  async revision(version: number) {
    expect(version).toBe(5);
    const { isOwn, deletedBy } = this.after ?? {};
    if (deletedBy)
      return { kind: 'delete' as const, author_id: deletedBy, sha256: toBase64Url(noPrevious()) };
    const own = await sha256(fromBase64Url(String(this.sent[0]?.['ciphertext'] ?? '')));
    return { kind: 'save' as const, author_id: 'alice', sha256: toBase64Url(isOwn ? own : noPrevious()) };
  }
}

const write = async (
  service: Service,
  kind: 'save' | 'clear' | 'delete' = 'save',
  kept: KnownKeysStore = keptInMemory(),
) => {
  const known = new KnownKeys(kept);
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

describe('a write that this browser cannot remember', () => {
  const full = (): KnownKeysStore => ({
    ...keptInMemory(),
    update: () => Promise.reject(new KnownKeysUnreadable()),
  });

  it.each(['save', 'clear', 'delete'] as const)('is acknowledged all the same: %s', async (kind) => {
    const { outcome } = await write(new Service(null), kind, full());
    expect(outcome).toMatchObject({ as: 'saved', forgotten: true, document: { version: 5 } });
  });

  it('is found all the same after its answer was lost', async () => {
    const service = new Service(new Unreachable(), { newest: 5, isOwn: true });
    const { outcome } = await write(service, 'save', full());
    expect(outcome).toMatchObject({ as: 'saved', found: true, forgotten: true });
  });
});

describe('a deletion whose answer was lost', () => {
  it.each([
    ['it is there', { newest: 6, deletedBy: 'alice' }, { as: 'saved', found: true }],
    ['somebody else has deleted', { newest: 5, deletedBy: 'bob' }, { as: 'conflict' }],
    ['another text is there', { newest: 5 }, { as: 'conflict' }],
    ['nothing is there', { newest: 4 }, { as: 'failed', lost: true }],
  ])('is told by what the service has: %s', async (_, after, expected) => {
    const { outcome } = await write(new Service(refusal(502, 'unexpected_answer'), after), 'delete');
    expect(outcome).toMatchObject(expected);
  });

  it('retires what was before it', async () => {
    const service = new Service(new Unreachable(), { newest: 5, deletedBy: 'alice' });
    const { outcome } = await write(service, 'delete');
    expect(outcome).toMatchObject({ document: { version: 5, live: false, clearGeneration: 3, text: '' } });
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
    const { outcome } = await write(service);
    expect(outcome).toMatchObject({ as: 'unknown' });
    expect(service.sent).toHaveLength(1);
    service.after = { newest: 6, isOwn: true };
    const later = outcome.as === 'unknown' ? await outcome.look?.() : null;
    expect(later).toMatchObject({ as: 'saved', found: true, document: { version: 5 } });
    expect(service.sent).toHaveLength(1);
  });
});
