/** Where a configuration belongs, in words. The files themselves are told by the service. */
import { t } from '../../i18n/connect';
import type { ConfigurationOut } from '../api/schema';

export function placeOf(configuration: ConfigurationOut): string {
  const { client, language, project_file: project, user_file: user } = configuration;
  if (language === 'python') return t('inPython');
  if (project && user) return t('inBoth', { project, user });
  if (user) return t('inUser', { user });
  if (project) return client === 'json' ? t('inAny', { project }) : t('inProject', { project });
  return client === 'claude-code' ? t('inTerminalUser') : t('inTerminal');
}
