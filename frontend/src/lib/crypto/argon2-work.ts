/** Argon2id itself. It takes a while and its memory on purpose, so that only the Worker and the tests import this. */
import { argon2id } from 'hash-wasm';

/** `memoryKib` in KiB; `passes` over it; `lanes`. `secret` is the normalised passphrase in UTF-8. */
export type Argon2Task = {
  secret: Uint8Array<ArrayBuffer>;
  salt: Uint8Array<ArrayBuffer>;
  memoryKib: number;
  passes: number;
  lanes: number;
};

/** 32 bytes of Argon2id version 1.3. */
export async function computeArgon2(task: Argon2Task): Promise<Uint8Array<ArrayBuffer>> {
  const stretched = await argon2id({
    password: task.secret,
    salt: task.salt,
    memorySize: task.memoryKib,
    iterations: task.passes,
    parallelism: task.lanes,
    hashLength: 32,
    outputType: 'binary',
  });
  return new Uint8Array(stretched);
}
