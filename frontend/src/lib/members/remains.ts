/** Where deleted text is still kept for a while, in words. The service tells one of few sentences, or none for nowhere. */
import { t } from '../../i18n/users';

export function remains(told: string): string {
  if (!told) return t('remainsNothing');
  return told.includes('PostgreSQL') ? t('remainsPostgres') : told;
}
