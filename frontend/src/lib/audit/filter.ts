/** The filter of the audit log, as it stands in the address and as the service takes it. */
import type { AuditFilter } from '../api/audit';
import type { AuditAction } from '../api/schema';

/** Days as a field of the browser writes them, `2026-11-02`; empty for none. */
export type Shown = {
  action: AuditAction | '';
  actor: string;
  subject: string;
  since: string;
  until: string;
};

export const EVERYTHING: Shown = { action: '', actor: '', subject: '', since: '', until: '' };

/** From the beginning of the first day to the end of the last one, in the time of the person. */
export function asked(shown: Shown): AuditFilter {
  return {
    action: shown.action || undefined,
    actor: shown.actor || undefined,
    subject: shown.subject || undefined,
    since: dayBegins(shown.since, 0),
    until: dayBegins(shown.until, 1),
  };
}

export const isFiltered = (shown: Shown): boolean => Object.values(shown).some(Boolean);

function dayBegins(day: string, later: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date + later).toISOString();
}
