/** What a failed call is called in the chosen language. A page says more where it knows more. */
import { ApiError, Unreachable } from '../lib/api/errors';
import { malformed } from './malformed';
import { t } from './shell';

export function failure(error: unknown): string {
  if (error instanceof Unreachable) return t('errorUnreachable');
  if (!(error instanceof ApiError)) return t('errorUnknown');
  switch (error.code) {
    case 'not_found':
      return t('errorNotFound');
    case 'forbidden':
    case 'level_too_low':
      return t('errorForbidden');
    case 'busy':
    case 'key_store_down':
      return t('errorBusy');
    case 'storage_full':
      return t('errorStorageFull');
    case 'internal_error':
      return t('errorInternal');
    case 'too_many_attempts':
    case 'rate_limited':
      return t('errorTooMany', { seconds: error.retryAfter ?? 60 });
    case 'invalid_request':
      return malformed(error.detail);
    default:
      return error.detail ? t('errorOther', { detail: error.detail }) : t('errorUnknown');
  }
}
