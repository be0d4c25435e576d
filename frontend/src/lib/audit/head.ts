/** The head of a log as text to keep elsewhere: the same JSON that `workspace-memory audit head` prints. */
import type { AuditHeadOut } from '../api/schema';

export const headText = (workspace: string, head: AuditHeadOut): string =>
  JSON.stringify({ workspace, number: head.number, hash: head.hash });

/** The head that the text tells; null when it is none of this workspace. */
export function readHead(text: string, workspace: string): AuditHeadOut | null {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof found !== 'object' || found === null) return null;
  const { workspace: of, number, hash } = found as Record<string, unknown>;
  if (of !== workspace || typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0)
    return null;
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return null;
  return { number, hash };
}
