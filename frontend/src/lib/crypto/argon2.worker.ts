/** Runs one computation of Argon2id, so that the page stays responsive. `argon2.ts` starts it and ends it. */
import { type Argon2Task, computeArgon2 } from './argon2-work';

export type Argon2Answer = { stretched: Uint8Array<ArrayBuffer> } | { failed: true };

// The types of the page's global scope have another postMessage than a Worker's.
const worker = globalThis as unknown as {
  onmessage: (event: MessageEvent<Argon2Task>) => void;
  postMessage(answer: Argon2Answer): void;
};

worker.onmessage = async (event) => {
  try {
    worker.postMessage({ stretched: await computeArgon2(event.data) });
  } catch {
    // What the library says is not repeated: it may quote its arguments.
    worker.postMessage({ failed: true });
  }
};
