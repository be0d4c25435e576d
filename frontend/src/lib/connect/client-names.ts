/**
 * What a client is called. The service knows a fixed name for each product; the tab for every other one is named in the
 * chosen language, and what connects there goes by the name that the person gave its key.
 */
import { t } from '../../i18n/connect';
import type { ConfigurationOut } from '../api/schema';

type Named = Pick<ConfigurationOut, 'client' | 'title'>;

const isGeneric = ({ client }: Named): boolean => client === 'json';

/** On its tab. */
export const titleOf = (of: Named): string => (isGeneric(of) ? t('otherClient') : of.title);

/** What a new key is called at first. It stands as the source in every item that the client saves. */
export const firstKeyName = (of: Named): string => (isGeneric(of) ? t('myClient') : of.title);

/** In sentences about it, once its key has the name `key`. */
export const calledBy = (of: Named, key: string | undefined): string =>
  isGeneric(of) && key ? key : titleOf(of);
