/** What a refusal is called, and at which field of the form it belongs. */
import { failure } from '../../i18n/failures';
import { malformed } from '../../i18n/malformed';
import { t } from '../../i18n/items';
import { ApiError } from '../api/errors';
import { NotMade } from '../api/finding-out';
import { number } from '../../i18n/moments';

export type Field = 'content' | 'tags' | 'review_by' | 'form';
export type Refusal = { field: Field; text: string };
/** An error of a call, or what a bulk decision says of one item. */
type Refused = { code: string; detail: string };

export function refusal(error: unknown): Refusal {
  if (error instanceof ApiError) return told(error, error.facts);
  if (error !== null && typeof error === 'object' && 'code' in error && 'detail' in error)
    return told(error as Refused, {});
  if (error instanceof NotMade) return { field: 'form', text: t('notArrived') };
  return { field: 'form', text: failure(error) };
}

function told(error: Refused, facts: Readonly<Record<string, unknown>>): Refusal {
  const where = typeof facts['where'] === 'string' ? facts['where'] : '';
  const rule = typeof facts['rule'] === 'string' ? facts['rule'] : '';
  switch (error.code) {
    case 'secret_refused':
      return {
        field: fieldOf(where),
        text: rule ? t('refusedSecret', { rule, place: place(where) }) : otherwise(error),
      };
    case 'structure_refused':
      return {
        field: fieldOf(where),
        text: rule ? t('refusedStructure', { rule, place: place(where) }) : otherwise(error),
      };
    case 'already_saved':
      return { field: 'content', text: t('refusedSame') };
    case 'quota_exceeded':
      return {
        field: 'form',
        text: t(String(facts['what'] ?? '').startsWith('personal') ? 'refusedFull' : 'refusedFullWorkspace', {
          limit: number(Number(facts['limit'] ?? 0)),
        }),
      };
    case 'version_mismatch':
      return { field: 'form', text: t('changedMeanwhile') };
    case 'invalid_request': {
      const field = String(facts['field'] ?? '');
      return { field: isField(field) ? field : 'form', text: malformed(error.detail) };
    }
    default:
      return {
        field: 'form',
        text: error instanceof ApiError ? failure(error) : otherwise(error),
      };
  }
}

const otherwise = ({ detail }: Refused): string => (detail ? t('notDoneSince', { detail }) : t('notDone'));

/** A problem of an import: its place in the file, and why, which names no second place. */
export function importProblem({ where, reason }: { where: string; reason: string }): Refusal & {
  where: string;
} {
  const found = /^Not saved: this looks like (a password|an instruction).*\(rule ([\w-]+); ([^)]*)\)/.exec(
    reason,
  );
  const text = found
    ? t(found[1] === 'a password' ? 'problemSecret' : 'problemStructure', { rule: found[2] ?? '' })
    : malformed(reason);
  return {
    field: 'form',
    where: where.replace(/, line (\d+)/, (_, line) => `, ${t('placeLine', { line })}`),
    text,
  };
}

const isField = (field: string): field is Field => ['content', 'tags', 'review_by'].includes(field);

const fieldOf = (where: string): Field => (where.startsWith('tag') ? 'tags' : 'content');

/** The service says "content, line 3", "tag 2" or "content and tags". */
function place(where: string): string {
  const line = /^content, line (\d+)$/.exec(where)?.[1];
  const tag = /^tag (\d+)$/.exec(where)?.[1];
  if (line) return t('placeLine', { line });
  if (tag) return t('placeTag', { tag });
  return t('placeTogether');
}
