/** The audit log: read, checked, and its head to be kept elsewhere. For admins. */
import { call, path } from './client';
import type { AuditAction, AuditHeadOut, AuditPageOut, AuditVerifiedOut } from './schema';

/** Times are ISO 8601 with a zone; `until` itself is not within. */
export type AuditFilter = {
  action?: AuditAction;
  actor?: string;
  subject?: string;
  since?: string;
  until?: string;
};

export const listAudit = (
  workspace: string,
  filter: AuditFilter,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<AuditPageOut> =>
  call('GET', path`/workspaces/${workspace}/audit`, { query: { ...filter, cursor }, signal });

export const verifyAudit = (workspace: string, head?: AuditHeadOut): Promise<AuditVerifiedOut> =>
  call('GET', path`/workspaces/${workspace}/audit/verify`, { query: head });

export const auditHead = (workspace: string): Promise<AuditHeadOut> =>
  call('GET', path`/workspaces/${workspace}/audit/head`);
