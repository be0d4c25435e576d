/**
 * One write of the memory document: one direct request against the exact version that was shown, and what became of it.
 *
 * Nothing is queued, and nothing is sent a second time. Where the answer was lost, the newest version is looked at, and
 * only what that shows is said: a seal has a random nonce, so that its hash tells the own write from any other.
 */
import { type RevisionOut, deleteDocument, getVersion, listVersions, writeDocument } from '../api/document';
import { Unreachable, isAnswerLost, isCode } from '../api/errors';
import { applyProposal } from '../api/proposals';
import type { SealedIn, WrittenOut } from '../api/schema';
import { toBase64Url } from '../crypto/bytes';
import { noPrevious } from '../crypto/envelope';
import { type DocumentHead, MEMORY_PATH, type OpenDocument, acknowledged } from '../keys/document-opening';
import {
  type SealedWrite,
  type Sealer,
  afterWrite,
  sealClear,
  sealSave,
  sealUndo,
} from '../keys/document-sealing';
import type { KnownKeys } from '../keys/known-keys';

/** What a person wants written. `head` is what was shown, and what the write follows on. */
export type Intent = { head: DocumentHead } & (
  | { kind: 'save' | 'undo'; text: string }
  | { kind: 'apply'; text: string; proposal: string }
  | { kind: 'clear' | 'delete' }
);

export type Outcome =
  /**
   * `found`: the answer was lost, and a look showed that it had been written all the same. `forgotten`: this browser
   * cannot remember the version, which makes the write no less of one.
   */
  | { as: 'saved'; document: OpenDocument; found: boolean; forgotten?: boolean }
  /** Another write won, and this one changed nothing. */
  | { as: 'conflict' }
  /** It changed nothing. `lost`: that is what a look at the service showed after the answer was lost. */
  | { as: 'failed'; error: unknown; lost: boolean }
  /** The answer was lost, and the service could not be looked at: nobody here knows. `look` does so once more. */
  | { as: 'unknown'; error: unknown; look?: () => Promise<Outcome> };

/** The calls, which a test has its own of. */
export type WriteCalls = {
  write(write: { headers: Record<string, string>; body: SealedIn }): Promise<WrittenOut>;
  apply(proposal: string, write: { headers: Record<string, string>; body: SealedIn }): Promise<WrittenOut>;
  remove(base: number): Promise<WrittenOut>;
  newest(): Promise<number>;
  revision(version: number): Promise<Pick<RevisionOut, 'kind' | 'author_id' | 'sha256'>>;
};

export const writeCalls = (workspace: string): WriteCalls => ({
  write: (write) => writeDocument(workspace, write),
  apply: (proposal, write) => applyProposal(workspace, proposal, write),
  remove: (base) => deleteDocument(workspace, base),
  newest: async () => (await listVersions(workspace, { limit: 1 })).versions[0]?.version ?? 0,
  revision: (version) => getVersion(workspace, version),
});

/** Seal and send. Raises only what sealing does: NotText, NoKeyYet; then nothing was sent. */
export async function writeMemory(
  calls: WriteCalls,
  sealer: Sealer,
  known: KnownKeys,
  intent: Intent,
): Promise<Outcome> {
  const sealed = await sealedOf(sealer, intent);
  const stored = async (written: WrittenOut, found: boolean): Promise<Outcome> => {
    // The service has it, whatever this browser can remember of it.
    const forgotten = await acknowledged(known, sealer.workspace, written).then(
      () => false,
      () => true,
    );
    return { as: 'saved', document: documentAfter(sealer, intent, sealed, written), found, forgotten };
  };
  try {
    const written = await send(calls, intent, sealed);
    // Something between us answered: what is not the next version is no acknowledgement.
    if (written.version !== intent.head.version + 1) throw new Unreachable();
    return await stored(written, false);
  } catch (error) {
    if (isCode(error, 'version_conflict')) return { as: 'conflict' };
    if (!isAnswerLost(error)) return { as: 'failed', error, lost: false };
    const { head, kind } = intent;
    return afterLostAnswer(calls, { head, kind, user: sealer.user, sealed }, error, stored);
  }
}

async function afterLostAnswer(
  calls: WriteCalls,
  sent: Sent,
  error: unknown,
  stored: (written: WrittenOut, found: boolean) => Promise<Outcome>,
): Promise<Outcome> {
  const { version: base, clearGeneration } = sent.head;
  try {
    const newest = await calls.newest();
    if (newest <= base) return { as: 'failed', error, lost: true };
    if (!isOwn(sent, await calls.revision(base + 1))) return { as: 'conflict' };
    const retires = sent.kind === 'clear' || sent.kind === 'delete' ? 1 : 0;
    return await stored({ version: base + 1, clear_generation: clearGeneration + retires }, true);
  } catch {
    const look = (): Promise<Outcome> => afterLostAnswer(calls, sent, error, stored);
    return { as: 'unknown', error, look };
  }
}

/** Whether the version that followed is what was sent. A deletion has no seal: one's own on this very version is it. */
function isOwn(
  { sealed, user }: Sent,
  { kind, author_id, sha256 }: Awaited<ReturnType<WriteCalls['revision']>>,
): boolean {
  return sealed === null ? kind === 'delete' && author_id === user : sha256 === toBase64Url(sealed.sha256);
}

type Sent = Pick<Intent, 'head' | 'kind'> & { user: string; sealed: SealedWrite | null };

async function sealedOf(sealer: Sealer, intent: Intent): Promise<SealedWrite | null> {
  switch (intent.kind) {
    case 'delete':
      return null;
    case 'clear':
      return sealClear(sealer, intent.head);
    case 'undo':
      return sealUndo(sealer, intent.text, intent.head);
    default:
      return sealSave(sealer, intent.text, intent.head);
  }
}

function send(calls: WriteCalls, intent: Intent, sealed: SealedWrite | null): Promise<WrittenOut> {
  if (sealed === null) return calls.remove(intent.head.version);
  if (intent.kind === 'apply') return calls.apply(intent.proposal, sealed);
  return calls.write(sealed);
}

function documentAfter(
  sealer: Sealer,
  intent: Intent,
  sealed: SealedWrite | null,
  written: WrittenOut,
): OpenDocument {
  const { version, clear_generation: clearGeneration } = written;
  if (sealed === null) {
    const newest = {
      version,
      kind: 'delete' as const,
      author: sealer.user,
      at: new Date().toISOString(),
      path: MEMORY_PATH,
      text: null,
    };
    return { version, live: false, clearGeneration, sha256: noPrevious(), text: '', newest };
  }
  const text = 'text' in intent ? intent.text : '';
  const kind = intent.kind === 'undo' || intent.kind === 'clear' ? intent.kind : 'save';
  return afterWrite(sealer, text, kind, sealed, written);
}
