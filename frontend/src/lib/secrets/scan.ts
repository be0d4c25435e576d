/**
 * Text that holds a password, token or key: whether there is one, by which rule, and on which line.
 *
 * The server looks for the same before it writes anything that it can read; what is encrypted here it never sees.
 * `domain/secret_scan.py` is the original, and `cases.json` has what it finds in some hundred texts. The value itself is
 * never handed out. Loaded by `find-secret.ts` when it is needed.
 */
import { announcedValues } from './pairs';
import { type Hit, markedCredentials } from './providers';
import { placedCredentials, randomWords, withoutPublicBlocks } from './shapes';
import { type View, decodedViews, disguisedViews, lineAt, plainView, seamViews } from './unveiling';

/** By which rule, and on which line of the text (from 1). */
export type SecretFound = { rule: string; line: number };

/** The first secret in the text, or null. */
export function scan(text: string): SecretFound | null {
  const plain = plainView(text);
  const disguised = [...disguisedViews(plain)];
  const joined = disguised.find((view) => view.name === 'joined');
  for (const view of [plain, ...disguised, ...seamViews(plain)]) {
    const found = first(view, inView(view, plain));
    if (found) return found;
  }
  for (const view of joined ? [plain, joined] : [plain]) {
    for (const decoded of decodedViews(view, view === joined ? plain.text : '')) {
      const found = first(decoded, inDecoded(decoded));
      if (found) return found;
    }
  }
  return null;
}

function* inView(view: View, plain: View): Generator<Hit> {
  if (view.name === 'joined' || view.name === 'seams') {
    // Words of different lines stand together here: only marks are certain enough.
    yield* markedCredentials(view.text, plain.text);
    return;
  }
  yield* markedCredentials(view.text);
  const text = withoutPublicBlocks(view.text);
  yield* placedCredentials(text);
  yield* announcedValues(text);
  if (view.name !== 'letters') yield* randomWords(text);
}

function* inDecoded(view: View): Generator<Hit> {
  yield* markedCredentials(view.text);
  yield* placedCredentials(view.text);
  yield* announcedValues(view.text);
}

function first(view: View, found: Generator<Hit>): SecretFound | null {
  for (const [rule, offset] of found) return { rule, line: lineAt(view, offset) };
  return null;
}
