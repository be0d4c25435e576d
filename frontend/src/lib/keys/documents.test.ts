import { beforeEach, describe, expect, it } from 'vitest';
import type { DocumentOut, NoteOut, ProposalOut } from '../api/schema';
import { sha256 } from '../crypto/aead';
import { fromBase64Url, toBase64Url } from '../crypto/bytes';
import { NotText, SealBroken } from '../crypto/errors';
import { noPrevious, proposalContext, seal } from '../crypto/envelope';
import { WorkspaceKey } from '../crypto/workspace-keys';
import {
  type DocumentHead,
  MEMORY_PATH,
  type SealedRevision,
  acknowledged,
  documentHead,
  openDocument,
  openListed,
  openNote,
  openRevision,
  withMark,
} from './document-opening';
import {
  type SealedWrite,
  type Sealer,
  afterWrite,
  sealClear,
  sealNewNote,
  sealNoteSave,
  sealSave,
  sealUndo,
} from './document-sealing';
import { KeyLost, NoKeyYet, ServerRolledBack } from './errors';
import { KnownKeys } from './known-keys';
import { keptInMemory } from './known-keys-store';
import { proposedEdits, proposedText } from './proposal-opening';

const WORKSPACE = 'w-1';
const ZEROS = toBase64Url(noPrevious());
const NEVER: DocumentHead = { version: 0, live: false, clearGeneration: 0, sha256: noPrevious() };
const TEXT = '\ufeff# Team\r\n\n- Müller & 日本語 🍵\n';

let sealer: Sealer;

beforeEach(() => {
  const key = WorkspaceKey.generate(WORKSPACE, 2);
  sealer = { workspace: WORKSPACE, user: 'alice', keys: new Map([[2, key]]) };
});

/** The version that the service makes of a write. */
function kept(
  write: SealedWrite,
  of: Partial<SealedRevision> & { previous_sha256?: string } = {},
  version = Number(write.headers['X-Base-Version']) + 1,
): SealedRevision {
  return {
    version,
    kind: 'save',
    path: MEMORY_PATH,
    author_id: 'alice',
    at: '2026-11-02T09:00:00Z',
    clear_generation: 0,
    epoch: write.body.epoch,
    bytes: 0,
    ciphertext: write.body.ciphertext,
    sha256: toBase64Url(write.sha256),
    previous_sha256: ZEROS,
    ...of,
  };
}

const TOMBSTONE = { kind: 'delete' as const, epoch: null, bytes: null, ciphertext: null, sha256: ZEROS };

const shown = (newest: SealedRevision | null, clearGeneration = 0): DocumentOut => ({
  path: MEMORY_PATH,
  media_type: 'text/markdown',
  version: newest?.version ?? 0,
  live: newest !== null && newest.kind !== 'delete',
  clear_generation: clearGeneration,
  newest,
});

describe('the memory document', () => {
  it('that was never written is empty', async () => {
    expect(await openDocument(sealer, shown(null))).toEqual({ ...NEVER, text: '', newest: null });
  });

  it('comes back byte for byte, bound to what was sent', async () => {
    const write = await sealSave(sealer, TEXT, NEVER);
    const opened = await openDocument(sealer, shown(kept(write)));
    expect(opened).toMatchObject({ version: 1, live: true, clearGeneration: 0, text: TEXT });
    expect(opened.sha256).toEqual(write.sha256);
    expect(opened.newest).toMatchObject({ version: 1, kind: 'save', author: 'alice', path: MEMORY_PATH });
  });

  it('is followed by a Save that is bound to it', async () => {
    const first = await sealSave(sealer, 'one', NEVER);
    const head = await openDocument(sealer, shown(kept(first)));
    const second = await sealSave(sealer, 'two', head);
    const revision = kept(second, { previous_sha256: toBase64Url(first.sha256) });
    expect(second.headers).toEqual({ 'X-Base-Version': '1' });
    expect((await openDocument(sealer, shown(revision))).text).toBe('two');
    const cut = { ...revision, previous_sha256: ZEROS };
    await expect(openDocument(sealer, shown(cut))).rejects.toThrow(SealBroken);
  });

  it('is cleared with the next generation and an empty text', async () => {
    const write = await sealClear(sealer, { ...NEVER, clearGeneration: 3 });
    expect(write.headers).toEqual({ 'X-Base-Version': '0', 'X-Memory-Clear': '1' });
    expect(fromBase64Url(write.body.ciphertext)).toHaveLength(28);
    const revision = kept(write, { kind: 'clear', clear_generation: 4 });
    expect(await openDocument(sealer, shown(revision, 4))).toMatchObject({ text: '', clearGeneration: 4 });
  });

  it('is undone with an older text', async () => {
    const write = await sealUndo(sealer, 'older', { ...NEVER, version: 4, clearGeneration: 1 });
    expect(write.headers).toEqual({ 'X-Base-Version': '4', 'X-Memory-Kind': 'undo' });
    const revision = kept(write, { kind: 'undo', clear_generation: 1 });
    expect((await openDocument(sealer, shown(revision, 1))).text).toBe('older');
  });

  it('that was deleted is empty, and is followed as if nothing were there', async () => {
    const write = await sealSave(sealer, 'one', NEVER);
    const opened = await openDocument(sealer, shown(kept(write, { version: 2, ...TOMBSTONE })));
    expect(opened).toMatchObject({ version: 2, live: false, text: '' });
    expect(opened.sha256).toEqual(noPrevious());
  });

  it('is known after a write without being read again', async () => {
    const write = await sealSave(sealer, 'one', NEVER);
    const after = afterWrite(sealer, 'one', 'save', write, { version: 1, clear_generation: 0 });
    const read = await openDocument(sealer, shown(kept(write)));
    expect({ ...after, newest: null }).toEqual({ ...read, newest: null });
    expect(after.newest).toMatchObject({ ...read.newest, at: expect.any(String) });
  });

  it('holds no half of a surrogate pair', async () => {
    await expect(sealSave(sealer, 'tea \ud83c', NEVER)).rejects.toThrow(NotText);
  });

  it('cannot be sealed before there is a key', async () => {
    await expect(sealSave({ ...sealer, keys: new Map() }, 'tea', NEVER)).rejects.toThrow(NoKeyYet);
  });

  it('is sealed with the newest key', async () => {
    const newest = WorkspaceKey.generate(WORKSPACE, 3);
    const write = await sealSave({ ...sealer, keys: new Map([...sealer.keys, [3, newest]]) }, 'tea', NEVER);
    expect(write.body.epoch).toBe(3);
  });
});

describe('a lying service is noticed when', () => {
  it.each([
    ['author', { author_id: 'bob' }],
    ['kind', { kind: 'capture' as const }],
    ['version', { version: 2 }],
    ['clear generation', { clear_generation: 1 }],
    ['epoch', { epoch: 3 }],
    ['path', { path: 'notes/tea.md' }],
    ['text left out', { ciphertext: null }],
  ])('it changes the %s', async (_, change) => {
    const revision = { ...kept(await sealSave(sealer, 'tea', NEVER)), ...change };
    await expect(openDocument(sealer, shown(revision))).rejects.toThrow(SealBroken);
  });

  it('it passes a note for the memory document', async () => {
    const note = await sealNewNote(sealer, 'tea', 'notes/tea.md');
    const revision = kept(note, { path: 'notes/tea.md' });
    await expect(openRevision(sealer, revision)).resolves.toMatchObject({ text: 'tea' });
    await expect(openDocument(sealer, shown(revision))).rejects.toThrow(SealBroken);
  });

  it('it shows an older version under the number of a newer one', async () => {
    const revision = kept(await sealSave(sealer, 'tea', NEVER));
    await expect(openDocument(sealer, { ...shown(revision), version: 2 })).rejects.toThrow(SealBroken);
  });

  it('it names another hash than that of the bytes: the next version is bound to the bytes', async () => {
    const revision = kept(await sealSave(sealer, 'tea', NEVER), { sha256: ZEROS });
    const head = await openDocument(sealer, shown(revision));
    expect(head.sha256).toEqual(await sha256(fromBase64Url(revision.ciphertext!)));
  });

  it('it goes back behind what was seen', async () => {
    const known = new KnownKeys(keptInMemory());
    const newer = kept(await sealSave(sealer, 'two', { ...NEVER, version: 1 }));
    const older = kept(await sealSave(sealer, 'one', NEVER));
    await withMark(known, WORKSPACE, async () => shown(newer));
    await expect(withMark(known, WORKSPACE, async () => shown(older))).rejects.toThrow(ServerRolledBack);
    const renumbered = { ...shown(older), version: 2 };
    await expect(withMark(known, WORKSPACE, async () => renumbered)).rejects.toThrow(ServerRolledBack);
    await expect(withMark(known, WORKSPACE, async () => shown(null))).rejects.toThrow(ServerRolledBack);
  });

  it('it goes back behind a write that it has acknowledged', async () => {
    const known = new KnownKeys(keptInMemory());
    await acknowledged(known, WORKSPACE, { version: 5 });
    const older = kept(await sealSave(sealer, 'one', { ...NEVER, version: 3 }));
    await expect(withMark(known, WORKSPACE, async () => shown(older))).rejects.toThrow(ServerRolledBack);
  });
});

it('a version that was asked for is opened, and no other in its place', async () => {
  const one = kept(await sealSave(sealer, 'one', NEVER));
  const another = kept(await sealSave(sealer, 'another one', NEVER));
  const listed = { ...one, ciphertext: null };
  await expect(openListed(sealer, listed, another)).rejects.toThrow(SealBroken);
  await expect(openListed(sealer, listed, one)).resolves.toMatchObject({ text: 'one' });
});

describe('a text whose key is lost', () => {
  it('is told apart, and can be followed', async () => {
    const write = await sealSave(sealer, 'one', NEVER);
    const later = { ...sealer, keys: new Map([[3, WorkspaceKey.generate(WORKSPACE, 3)]]) };
    const found = shown(kept(write));
    await expect(openDocument(later, found)).rejects.toThrow(KeyLost);
    const head = await documentHead(later, found);
    expect(head).toMatchObject({ version: 1, sha256: write.sha256 });
    expect((await sealSave(later, 'two', head)).headers['X-Base-Version']).toBe('1');
  });

  it('is not what a key of an unknown later epoch is', async () => {
    const earlier = { ...sealer, keys: new Map([[1, WorkspaceKey.generate(WORKSPACE, 1)]]) };
    const found = shown(kept(await sealSave(sealer, 'one', NEVER)));
    await expect(openDocument(earlier, found)).rejects.toThrow(SealBroken);
    await expect(documentHead(earlier, found)).rejects.toThrow(SealBroken);
  });
});

describe('a note', () => {
  const PATH = 'notes/tea.md';
  const asNote = (newest: SealedRevision): NoteOut => ({
    id: 'd-1',
    kind: 'note',
    path: newest.path,
    version: newest.version,
    live: newest.kind !== 'delete',
    created_at: newest.at,
    updated_at: newest.at,
    newest,
  });

  it('is made at its path', async () => {
    const write = await sealNewNote(sealer, 'tea', PATH);
    expect(write.body.path).toBe(PATH);
    expect(write.headers).toEqual({ 'X-Base-Version': '0' });
    const note = await openNote(sealer, asNote(kept(write, { path: PATH })));
    expect(note).toMatchObject({ id: 'd-1', path: PATH, version: 1, live: true, text: 'tea' });
  });

  it('is saved as its next version', async () => {
    const write = await sealNewNote(sealer, 'tea', PATH);
    const note = await openNote(sealer, asNote(kept(write, { path: PATH })));
    const saved = await sealNoteSave(sealer, 'more tea', note);
    expect(saved.headers).toEqual({ 'X-Base-Version': '1' });
    const revision = kept(saved, { path: PATH, previous_sha256: toBase64Url(write.sha256) });
    expect(await openNote(sealer, asNote(revision))).toMatchObject({ version: 2, text: 'more tea' });
  });

  it('of another path or version does not pass for it', async () => {
    const revision = kept(await sealNewNote(sealer, 'tea', PATH), { path: PATH });
    for (const change of [{ path: 'notes/milk.md' }, { version: 2 }]) {
      await expect(openNote(sealer, { ...asNote(revision), ...change })).rejects.toThrow(SealBroken);
    }
  });
});

describe('a proposal', () => {
  async function proposed(body: string, change: Partial<ProposalOut> = {}): Promise<ProposalOut> {
    const place = { workspace: WORKSPACE, proposal: 'p-1', epoch: 2, base: 7, clearGeneration: 3 };
    const sealed = await seal(sealer.keys.get(2)!, proposalContext(place), body);
    return {
      id: 'p-1',
      owner_id: 'alice',
      conversation_id: null,
      admission_id: null,
      kind: 'memory',
      document_id: null,
      path: MEMORY_PATH,
      base_version: 7,
      clear_generation: 3,
      epoch: 2,
      ciphertext: toBase64Url(sealed),
      reason: 'read_only',
      state: 'open',
      shared: false,
      created_at: '2026-11-02T09:00:00Z',
      decided_by: null,
      decided_at: null,
      applied_version: null,
      ...change,
    };
  }
  const edit = { op: 'add', text: 'likes tea', target: '', heading: '' };

  it('tells its edits', async () => {
    const proposal = await proposed(JSON.stringify({ changes: [edit] }));
    expect(await proposedEdits(sealer, proposal)).toEqual([edit]);
  });

  it('for a note tells its text', async () => {
    expect(await proposedText(sealer, await proposed('{"text":"tea"}'))).toBe('tea');
  });

  it.each([
    ['id', { id: 'p-2' }],
    ['base', { base_version: 8 }],
    ['generation', { clear_generation: 4 }],
  ])('does not open with another %s', async (_, change) => {
    const proposal = await proposed(JSON.stringify({ changes: [edit] }), change);
    await expect(proposedEdits(sealer, proposal)).rejects.toThrow(SealBroken);
  });

  it.each([
    ['nothing', 'null'],
    ['no JSON', 'tea'],
    ['no list', '{"changes":{}}'],
    ['no edits', '{"changes":[]}'],
    ['six edits', JSON.stringify({ changes: Array(6).fill(edit) })],
    ['an unknown operation', JSON.stringify({ changes: [{ ...edit, op: 'constructor' }] })],
    ['a field too many', JSON.stringify({ changes: [{ ...edit, more: '' }] })],
    ['a field too few', JSON.stringify({ changes: [{ op: 'add', text: 'tea', target: '' }] })],
    ['a target where none belongs', JSON.stringify({ changes: [{ ...edit, target: 'x' }] })],
  ])('with %s is no proposal', async (_, body) => {
    await expect(proposedEdits(sealer, await proposed(body))).rejects.toThrow(SealBroken);
  });

  it('without a text is none for a note', async () => {
    await expect(proposedText(sealer, await proposed('{"changes":[]}'))).rejects.toThrow(SealBroken);
  });
});
