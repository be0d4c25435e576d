/** Counts of what was undone, over several steps. */
import type { RemovalOut } from '../api/schema';

const sum = (a: number | null, b: number | null): number | null =>
  a === null && b === null ? null : (a ?? 0) + (b ?? 0);

export function added(before: RemovalOut | undefined, step: RemovalOut): RemovalOut {
  if (!before) return step;
  return {
    ...step,
    company_removed: before.company_removed + step.company_removed,
    company_put_back: before.company_put_back + step.company_put_back,
    personal_removed: sum(before.personal_removed, step.personal_removed),
    personal_put_back: sum(before.personal_put_back, step.personal_put_back),
  };
}

export const isNothing = (removal: RemovalOut): boolean =>
  !(
    removal.company_removed ||
    removal.company_put_back ||
    removal.personal_removed ||
    removal.personal_put_back
  );
