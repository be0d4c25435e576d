/**
 * This page's own writes of the memory document (Save, Clear, Undo, an applied suggestion), for each workspace apart,
 * and the `X-Memory-State` that a message to the Assistant is sent with because of them.
 *
 * It knows of writes only. What stands in the editor is not memory, and no draft is ever told from here.
 */
import { whenLeaving } from './session.svelte';

/** How long a message waits for a write that is under way. */
export const SEND_WAIT_MS = 5000;

/** How the last write that has ended did. A failed one changed nothing, so that nothing is known from it. */
type Ended = { as: 'saved'; version: number } | { as: 'conflict' } | { as: 'failed' };

/** A write that has been sent. Exactly one of these is told when its answer is known. */
type OwnWrite = {
  acknowledged(version: number): void;
  conflicted(): void;
  failed(): void;
};

type Own = {
  running: number;
  ended?: Ended;
  /** The last version that was acknowledged to this page; it is still true after a settled conflict. */
  acknowledged?: number;
  waiting: (() => void)[];
};

const own = $state<Record<string, Own>>({});
whenLeaving(forgetWrites);

/** Say that a write has been sent. */
export function beginWrite(workspace: string): OwnWrite {
  const mine = of(workspace);
  mine.running += 1;
  let told = false;
  const end = (ended: Ended): void => {
    if (told) return;
    told = true;
    mine.ended = ended;
    if (ended.as === 'saved') mine.acknowledged = ended.version;
    done(mine);
  };
  return {
    acknowledged: (version) => end({ as: 'saved', version }),
    conflicted: () => end({ as: 'conflict' }),
    failed: () => end({ as: 'failed' }),
  };
}

/**
 * Say that a write was asked for and is prepared: a message that is sent meanwhile waits for it, too. Call what comes
 * back when it is sent or given up.
 */
export function prepareWrite(workspace: string): () => void {
  const mine = of(workspace);
  mine.running += 1;
  return () => done(mine);
}

/** Say that the person has decided about a conflict, by taking the newer text or by giving up the own one. */
export function settleConflict(workspace: string): void {
  const mine = of(workspace);
  if (mine.ended?.as !== 'conflict') return;
  mine.ended = mine.acknowledged === undefined ? undefined : { as: 'saved', version: mine.acknowledged };
}

/** Whether a write of this page is under way. */
export const isWriting = (workspace: string): boolean => (own[workspace]?.running ?? 0) > 0;

/** When no write of this page is under way any more. */
function writesEnded(workspace: string): Promise<void> {
  if (!isWriting(workspace)) return Promise.resolve();
  return new Promise((resolve) => of(workspace).waiting.push(resolve));
}

/**
 * What a message is to be sent with: waits up to five seconds for a write that is under way, then tells what is true.
 *
 * Undefined stands for `unknown`, which is what the service takes where the header is left out.
 */
export async function memoryStateForSend(
  workspace: string,
  waitMs: number = SEND_WAIT_MS,
): Promise<string | undefined> {
  await within(writesEnded(workspace), waitMs);
  const mine = own[workspace];
  if (mine === undefined) return undefined;
  if (mine.running > 0) return 'pending';
  switch (mine.ended?.as) {
    case 'saved':
      return `saved;version=${mine.ended.version}`;
    case 'conflict':
      return 'conflict';
    default:
      return undefined;
  }
}

/** Forget all of it, as after signing out. */
export function forgetWrites(): void {
  for (const workspace of Object.keys(own)) delete own[workspace];
}

function done(mine: Own): void {
  mine.running -= 1;
  if (mine.running === 0) for (const wake of mine.waiting.splice(0)) wake();
}

function of(workspace: string): Own {
  own[workspace] ??= { running: 0, waiting: [] };
  // Read again: what comes out is the observed one.
  return own[workspace];
}

async function within(promise: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
