/** Why something did not work, in words, where the page knows more than the service's code. */
import { failure } from '../../i18n/failures';
import { t } from '../../i18n/memory';
import { isCode } from '../api/errors';
import type { RevisionOut } from '../api/document';

export function failureWords(error: unknown): string {
  if (isCode(error, 'epoch_conflict')) return t('keyChanged');
  const code = (error as { code?: string } | null)?.code;
  if (code === 'no_key_yet') return t('noKey');
  if (code === 'draft_begun') return t('draftBegun');
  if (code === 'not_text') return t('notUtf8');
  return failure(error);
}

/** The words of the editor's own parts, which it asks for by their English ones. */
export const editorPhrases = (): Record<string, string> => ({
  Find: t('find'),
  Replace: t('replace'),
  next: t('findNext'),
  previous: t('findPrevious'),
  all: t('findAll'),
  'match case': t('matchCase'),
  'by word': t('byWord'),
  regexp: t('regexp'),
  replace: t('replaceOne'),
  'replace all': t('replaceAll'),
  close: t('closeSearch'),
  'current match': t('currentMatch'),
  'on line': t('onLine'),
  'replaced match on line $': t('replacedOn'),
  'replaced $ matches': t('replacedMany'),
  '$ unchanged lines': t('unchangedLines'),
});

/** What somebody did to the memory meanwhile, and who, in one sentence. */
export function meanwhile(
  { kind, author }: { kind: RevisionOut['kind']; author: string },
  me: string,
  names: ReadonlyMap<string, string>,
): string {
  const words = MEANWHILE[kind];
  if (author === me) return t(words.self);
  return t(words.by, { name: names.get(author) ?? t('former') });
}

const MEANWHILE = {
  save: { by: 'conflictBy', self: 'conflictSelf' },
  clear: { by: 'clearedBy', self: 'clearedSelf' },
  undo: { by: 'restoredBy', self: 'restoredSelf' },
  restore: { by: 'restoredBy', self: 'restoredSelf' },
  move: { by: 'conflictBy', self: 'conflictSelf' },
  delete: { by: 'deletedBy', self: 'deletedSelf' },
  capture: { by: 'capturedBy', self: 'capturedSelf' },
} as const;

/** Who wrote a version. */
export function authorWords(
  revision: Pick<RevisionOut, 'kind' | 'author_id'>,
  names: ReadonlyMap<string, string>,
): string {
  const name = names.get(revision.author_id);
  if (revision.kind !== 'capture') return name ?? t('former');
  return name === undefined ? t('assistant') : t('assistantFor', { name });
}
