/** Which members are chosen for a change of all of them at once: never more than the service takes. */
export const CHOSEN_MAX = 500;

type Choice = { chosen: ReadonlySet<string>; refused: boolean };

/** Choose some more; what does not fit is left out and `refused` says so. */
export function choose(chosen: ReadonlySet<string>, ids: readonly string[]): Choice {
  const all = new Set(chosen);
  let refused = false;
  for (const id of ids) {
    if (all.size < CHOSEN_MAX || all.has(id)) all.add(id);
    else refused = true;
  }
  return { chosen: all, refused };
}

export const leaveOut = (chosen: ReadonlySet<string>, ids: readonly string[]): Choice => {
  const left = new Set(chosen);
  for (const id of ids) left.delete(id);
  return { chosen: left, refused: false };
};
