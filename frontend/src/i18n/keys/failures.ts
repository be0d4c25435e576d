/** What went wrong with keys, in the chosen language. */
import { RecoveryKeyMistyped, WrongSecret } from '../../lib/crypto/errors';
import type { Distrust } from '../../lib/keys/errors';
import { failure } from '../failures';
import { t } from '.';

/** A sentence for a failed action with keys; what cannot be trusted is shown by `Distrusted.svelte`. */
export function keyFailure(error: unknown): string {
  if (error instanceof RecoveryKeyMistyped) return mistyped(error);
  if (error instanceof WrongSecret) return t('wrongPassphrase');
  switch ((error as { code?: unknown }).code) {
    case 'sign_in_refused':
      return t('wrongPassword');
    case 'version_mismatch':
    case 'keys_exist':
    case 'keys_changed':
      return t('changedElsewhere');
    case 'epoch_conflict':
    case 'key_holders_changed':
      return t('othersFirst');
    case 'derivation_failed':
      return t('noMemory');
    case 'not_text':
      return t('strangeCharacters');
    default:
      return failure(error);
  }
}

export function reason(why: Distrust): string {
  switch (why) {
    case 'parameters':
      return t('reasonParameters');
    case 'signature':
    case 'pinned_key':
      return t('reasonSignature');
    case 'seal':
      return t('reasonSeal');
    case 'check_value':
      return t('reasonCheckValue');
    case 'chain':
      return t('reasonChain');
    case 'public_key':
      return t('reasonPublicKey');
    case 'other_keys':
      return t('reasonOtherKeys');
  }
}

function mistyped({ mistake, group }: RecoveryKeyMistyped): string {
  if (mistake === 'length') return t('mistypedLength');
  if (mistake === 'checksum') return t('mistypedChecksum');
  return t('mistypedCharacter', { n: group ?? 1 });
}
