/** An event in words: what happened is a message of its own, its facts are named, and codes are translated. */
import { t } from '../../i18n/audit';
import en from '../../i18n/audit/en';
import { moment, number } from '../../i18n/moments';
import { t as users } from '../../i18n/users';
import type { AuditEventOut } from '../api/schema';
import { roleName, ROLES } from '../members/levels';

const LEVELS = ['inherit', 'none', 'read', 'personal', 'contribute'] as const;
/** Facts that are ids: shown with the other ids. */
const IDS = new Set([
  'item',
  'replaces',
  'token',
  'by_token',
  'server',
  'document',
  'admission',
  'proposal',
  'key_session',
]);
const OF_LEVELS = new Set(['level', 'default_access', 'max_level']);
const TIMES = new Set(['since', 'expires_at']);

export type Fact = { name: string; value: string };
type Said = string | number;
type Key = Parameters<typeof t>[0];

export const isId = (name: string): boolean => IDS.has(name);

/** The facts of an event that say something to a person. What did not change is left out. */
export function factsOf(event: AuditEventOut): Fact[] {
  const facts: Fact[] = [];
  for (const [name, value] of Object.entries(event.facts)) {
    if (isId(name) || name.endsWith('_to')) continue;
    if (!name.endsWith('_from')) {
      facts.push({ name: labelOf(name), value: valueOf(name, value) });
      continue;
    }
    const about = name.slice(0, -'_from'.length);
    const to = event.facts[`${about}_to`];
    if (to === undefined || to === value) continue;
    facts.push({ name: labelOf(about), value: `${valueOf(about, value)} → ${valueOf(about, to)}` });
  }
  return facts;
}

/** What this page does not know yet keeps its own name. */
const worded = (key: string, otherwise: string): string => (key in en ? t(key as Key) : otherwise);
const labelOf = (name: string): string => worded(`fact_${name}`, name);

function valueOf(name: string, value: Said): string {
  if (name === 'enabled') return value ? t('value_on') : t('value_off');
  if (name === 'trusted') return value ? t('value_trusted') : t('value_untrusted');
  if (name === 'assistant_tokens' && value === 0) return t('value_noLimit');
  if (typeof value === 'number') return number(value);
  if (OF_LEVELS.has(name)) return levelWord(value);
  if (name === 'role') return ROLES.map(roleName)[ROLES.findIndex((each) => each === value)] ?? value;
  if (TIMES.has(name)) return moment(value);
  return worded(`value_${value}`, value);
}

function levelWord(level: string): string {
  const known = LEVELS.find((each) => each === level);
  if (!known) return level;
  return known === 'inherit' ? users('inheritAlone') : users(known);
}
