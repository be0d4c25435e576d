/**
 * What can go wrong with keys and seals, as one class per case that a caller can tell apart.
 *
 *     KeyProblem
 *     ├── SealBroken             a seal does not open: other key, other context or changed bytes
 *     │   └── WrongSecret        … where somebody brought the key: passphrase or recovery key
 *     ├── WeakParameters         the work for a passphrase is below the floor or above what a client would spend
 *     ├── RecoveryKeyMistyped    a written recovery key is not one: `mistake` names the kind
 *     ├── GrantRefused           a grant or check value does not carry the signature of the pinned key
 *     ├── NotText                characters that UTF-8 cannot carry (lone surrogates)
 *     └── DerivationFailed       the browser could not run Argon2id: no memory, or the Worker was blocked
 *
 * `lib/keys/errors.ts` goes on with what a keyholder finds out. No message carries a key, a token, a passphrase or a
 * text; what a person reads is in the catalogues, by `code`.
 */

/** Base of all of them. `code` is the one that the command line has for the same case, where it has one. */
export abstract class KeyProblem extends Error {
  abstract readonly code: string;
}

/** A sealed value does not open. AES-GCM cannot say whether key, context or bytes are the wrong ones. */
export class SealBroken extends KeyProblem {
  override readonly name: string = 'SealBroken';
  override readonly code: string = 'seal_broken';
}

/** The passphrase or recovery key that somebody brought does not open what it should. */
export class WrongSecret extends SealBroken {
  override readonly name = 'WrongSecret';
  override readonly code = 'wrong_secret';
}

/** Parameters of Argon2id that a client does not follow, whoever sends them. */
export class WeakParameters extends KeyProblem {
  override readonly name = 'WeakParameters';
  override readonly code = 'weak_parameters';
}

type Mistake = 'length' | 'character' | 'checksum';

/** A written recovery key that cannot be right. `group` counts from 1, and is there for a wrong character. */
export class RecoveryKeyMistyped extends KeyProblem {
  override readonly name = 'RecoveryKeyMistyped';
  override readonly code = 'recovery_key_mistyped';
  constructor(
    readonly mistake: Mistake,
    readonly group?: number,
  ) {
    super();
  }
}

/** A key did not come from the person it is said to come from. The key must not be used. */
export class GrantRefused extends KeyProblem {
  override readonly name = 'GrantRefused';
  override readonly code = 'grant_refused';
}

/** The characters are no Unicode text: they hold half of a surrogate pair. */
export class NotText extends KeyProblem {
  override readonly name = 'NotText';
  override readonly code = 'not_text';
}

/** Argon2id could not be computed here. */
export class DerivationFailed extends KeyProblem {
  override readonly name = 'DerivationFailed';
  override readonly code = 'derivation_failed';
}
