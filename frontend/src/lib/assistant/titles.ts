/** What a conversation is called: its title where the key session opens it, and otherwise why there is none. */
import { t } from '../../i18n/assistant';

export const titleOf = (conversation: { title: string | null; turns: number }, open: boolean): string =>
  conversation.title ?? (open || conversation.turns === 0 ? t('untitled') : t('sealedTitle'));
