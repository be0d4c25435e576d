/** Whether a draft brings a password, token or key into the text: the server, which would refuse one, cannot look. */
import { type SecretFound, findSecret } from '../secrets/find-secret';

export type Screen = (text: string, saved: string) => Promise<SecretFound | null>;

/** What is new in the draft, with its line. What was saved before has been decided about. */
export const newSecret: Screen = async (text, saved) => {
  const found = await findSecret(text);
  const before = new Set(saved.split('\n'));
  const lines = text.split('\n');
  if (found === null || !before.has(lines[found.line - 1] ?? '')) return found;
  const added = lines.flatMap((line, at) => (before.has(line) ? [] : [at]));
  const further = await findSecret(added.map((at) => lines[at]).join('\n'));
  return further && { rule: further.rule, line: (added[further.line - 1] ?? 0) + 1 };
};
