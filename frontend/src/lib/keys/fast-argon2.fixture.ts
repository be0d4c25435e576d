/** In the place of Argon2id where a test is about something else: as long as it takes in real life, they would be slow. */
import { sha256 } from '../crypto/aead';
import type { Argon2Task } from '../crypto/argon2-work';
import { type Bytes, joined, utf8 } from '../crypto/bytes';

export const argon2 = ({ secret, salt, ...work }: Argon2Task): Promise<Bytes> =>
  sha256(joined(secret, salt, utf8(JSON.stringify(work))));
