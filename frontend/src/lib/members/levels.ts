/** Access levels and roles in words, and what a member's level comes to. */
import { t as shell } from '../../i18n/shell';
import { t } from '../../i18n/users';
import type { AccessLevel, Role } from '../api/schema';

/** What a workspace can have as its default. */
export const LEVELS = ['none', 'read', 'personal', 'contribute'] as const;
export type Level = (typeof LEVELS)[number];
export const ROLES = ['admin', 'editor', 'viewer'] as const satisfies readonly Role[];

/** A level's name; `inherit` with what it comes to. */
export const levelName = (level: AccessLevel, fallback: AccessLevel): string =>
  level === 'inherit' ? t('inherit', { level: t(fallback) }) : t(level);

export const levelText = (level: AccessLevel, fallback: AccessLevel): string =>
  level === 'inherit' ? t('inheritText', { level: t(fallback) }) : t(`${level}Text`);

export const roleName = (role: Role): string =>
  ({ admin: shell('roleAdmin'), editor: shell('roleEditor'), viewer: shell('roleViewer') })[role];

export const roleText = (role: Role): string => t(`${role}Text`);
