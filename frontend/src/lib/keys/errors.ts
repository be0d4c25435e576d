/**
 * What a client finds out about keys by itself, whatever the service says. Each is a reason to stop, not to retry.
 *
 *     KeyProblem (lib/crypto/errors.ts)
 *     ├── KeysLocked            the own keys are not open: unlock them first
 *     ├── WaitingForKey         nobody has granted the workspace key yet, or nobody holds it any more
 *     ├── NotConfirmed          the fingerprint that was confirmed is not that of the keys as they are now
 *     ├── NotAMember            nobody of that id is an active member
 *     ├── NoKeysYet             the person to whom a key should be passed on has set up none
 *     ├── NoKeyYet              nobody has started the key of this workspace
 *     ├── OtherEpoch            the workspace key is at another epoch than expected
 *     ├── KeyStillHeld          a key that somebody holds is not begun anew
 *     ├── KeyLost               it was sealed under a key that nobody holds any more
 *     ├── KeyDistrusted         what the service sent does not come from whom it should
 *     │   └── PinnedKeyChanged  somebody's key is not the one that this browser knows
 *     ├── ServerRolledBack      the service shows less than it did before
 *     └── KnownKeysUnreadable   what this browser remembers is damaged, or it may not remember anything
 *
 * `code` is what the service or the command line has for the same case, so that one catalogue serves all.
 */
import { KeyProblem } from '../crypto/errors';

export class KeysLocked extends KeyProblem {
  override readonly name = 'KeysLocked';
  override readonly code = 'keys_locked';
}

/** `holders` can grant it. `lost`: there is a key, and nobody holds it any more. */
export class WaitingForKey extends KeyProblem {
  override readonly name = 'WaitingForKey';
  override readonly code = 'waiting_for_key';
  constructor(
    readonly holders: readonly { name: string; email: string }[],
    readonly lost: boolean,
  ) {
    super();
  }
}

/** Nothing was granted. `user` is whose fingerprint was not confirmed. */
export class NotConfirmed extends KeyProblem {
  override readonly name = 'NotConfirmed';
  override readonly code = 'not_confirmed';
  constructor(
    readonly user: string,
    readonly person: string,
  ) {
    super();
  }
}

export class NotAMember extends KeyProblem {
  override readonly name = 'NotAMember';
  override readonly code = 'not_found';
}

export class NoKeysYet extends KeyProblem {
  override readonly name = 'NoKeysYet';
  override readonly code = 'keys_missing';
  constructor(readonly user: string) {
    super();
  }
}

/** Nothing can be sealed, since the workspace has no key. */
export class NoKeyYet extends KeyProblem {
  override readonly name = 'NoKeyYet';
  override readonly code = 'no_key_yet';
}

/** `current` is the epoch that the service has; 0 for none. */
export class OtherEpoch extends KeyProblem {
  override readonly name = 'OtherEpoch';
  override readonly code = 'epoch_conflict';
  constructor(readonly current: number) {
    super();
  }
}

export class KeyStillHeld extends KeyProblem {
  override readonly name = 'KeyStillHeld';
  override readonly code = 'key_still_held';
}

/** The text is kept as it is, and what is written anew follows on it. */
export class KeyLost extends KeyProblem {
  override readonly name = 'KeyLost';
  override readonly code = 'key_lost';
  constructor(readonly epoch: number) {
    super();
  }
}

/**
 * What does not fit: `parameters` of Argon2id that no client follows; a `signature` that is not the granter's; a `seal`
 * that was changed, moved or left out; a key that the `check_value` does not prove; a `chain` of older keys that is said
 * to be lost and was opened here; a `public_key` that is none; `other_keys` than the ones that are open.
 */
export type Distrust =
  'parameters' | 'signature' | 'seal' | 'check_value' | 'chain' | 'public_key' | 'other_keys' | 'pinned_key';

/** The service may be lying or was broken into. Nothing was opened or sent. */
export class KeyDistrusted extends KeyProblem {
  override readonly name: string = 'KeyDistrusted';
  override readonly code: string = 'key_distrusted';
  constructor(readonly reason: Distrust) {
    super();
  }
}

/** `known` and `presented` are fingerprints; null for the key of somebody who was met and never compared. */
export class PinnedKeyChanged extends KeyDistrusted {
  override readonly name = 'PinnedKeyChanged';
  override readonly code = 'pinned_key_changed';
  constructor(
    readonly user: string,
    readonly person: string,
    readonly known: string | null,
    readonly presented: string | null,
  ) {
    super('pinned_key');
  }
}

/** `what` is document or epoch; `seen` is how far this browser had seen it come. */
export class ServerRolledBack extends KeyProblem {
  override readonly name = 'ServerRolledBack';
  override readonly code = 'server_rolled_back';
  constructor(
    readonly what: string,
    readonly seen: number,
    readonly presented: number,
  ) {
    super();
  }
}

/** Starting over by itself would forget whom this browser trusts. */
export class KnownKeysUnreadable extends KeyProblem {
  override readonly name = 'KnownKeysUnreadable';
  override readonly code = 'known_keys_unreadable';
}
