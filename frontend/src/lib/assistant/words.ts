/** What codes and names of a turn are called in the chosen language. */
import { failure } from '../../i18n/failures';
import { t } from '../../i18n/assistant';
import en from '../../i18n/assistant/en';
import { isCode } from '../api/errors';
import type { Turn, Withheld } from './turn';

type Key = keyof typeof en;
const key = (name: string): Key | undefined => (name in en ? (name as Key) : undefined);

/** A tool by what it does; one that has no words here by its own name. */
export function toolName(name: string): string {
  const known = key(`tool_${name}`);
  return known ? t(known) : name;
}

export const RECALL_BYTES_MAX = 8192;

export const withheldWords = (status: Withheld): string =>
  t('notProvided', { reason: t(`withheld_${status}`, { n: RECALL_BYTES_MAX }) });

/** Why a turn has ended otherwise than with its answer; empty for one that is done. */
export function endWords(turn: Turn): string {
  if (turn.state === 'stopped') return t('ended_stopped');
  if (turn.state === 'interrupted') return t('ended_interrupted');
  if (turn.state !== 'failed') return '';
  const known = key(`error_${turn.error ?? ''}`);
  return known ? t(known) : turn.problem || t('error_unexpected');
}

/** Why a message was refused. */
export function refusalWords(error: unknown): string {
  if (isCode(error, 'ai_disabled')) return t('aiOffText');
  if (isCode(error, 'key_session_required')) return t('sessionEndedText');
  if (isCode(error, 'assistant_limit_reached')) return t('error_assistant_limit_reached');
  return failure(error);
}

/** When the day of the limits ends: midnight in UTC, as a time of this machine. */
export function nextDay(now: Date = new Date()): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}
