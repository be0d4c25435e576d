/**
 * Argon2id in a Worker of its own: made for one computation and ended with it, which gives the memory back.
 *
 * Where the page demands Trusted Types, the Worker's address goes through the policy `wm-worker`, which admits this
 * one built address and no other.
 */
import type { Argon2Answer } from './argon2.worker';
import workerUrl from './argon2.worker.ts?worker&url';
import type { Argon2Task } from './argon2-work';
import type { Bytes } from './bytes';
import { DerivationFailed } from './errors';

type Policy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy };

let policy: Policy | undefined;

/** 32 bytes of Argon2id version 1.3. Raises DerivationFailed. */
export async function argon2(task: Argon2Task): Promise<Bytes> {
  if (import.meta.env.MODE === 'test') {
    const { computeArgon2 } = await import('./argon2-work');
    return computeArgon2(task);
  }
  const worker = startedWorker();
  try {
    return await answerOf(worker, task);
  } finally {
    worker.terminate();
  }
}

function startedWorker(): Worker {
  try {
    return new Worker(trusted(workerUrl), { type: 'module' });
  } catch {
    throw new DerivationFailed();
  }
}

function answerOf(worker: Worker, task: Argon2Task): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<Argon2Answer>) => {
      if ('stretched' in event.data) resolve(event.data.stretched);
      else reject(new DerivationFailed());
    };
    worker.onerror = () => reject(new DerivationFailed());
    worker.postMessage(task);
  });
}

function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  // A page may make a policy of one name only once.
  policy ??= trustedTypes?.createPolicy('wm-worker', { createScriptURL: ownWorkerAlone });
  return policy ? policy.createScriptURL(url) : url;
}

function ownWorkerAlone(url: string): string {
  if (url !== workerUrl) throw new TypeError('only the own Worker is admitted');
  return url;
}
