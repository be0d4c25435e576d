/** What changed between two texts, word by word: the longest common run of words stays, the rest was taken or added. */
export type Change = { kind: 'same' | 'removed' | 'added'; text: string };

/** Above this product of word counts the table would cost too much; then the middle counts as replaced whole. */
const CELLS_MAX = 4_000_000;

export function changes(before: string, after: string): Change[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < Math.min(old.length, now.length) - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  const found: Change[] = [];
  add(found, 'same', old.slice(0, start));
  between(found, old.slice(start, old.length - end), now.slice(start, now.length - end));
  add(found, 'same', old.slice(old.length - end));
  return found;
}

/** Words, the white space between them and each other sign, so that joined again they are the text. */
function wordsOf(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(text)].map((each) => each.segment);
}

function between(found: Change[], old: string[], now: string[]): void {
  if (old.length * now.length > CELLS_MAX) {
    add(found, 'removed', old);
    add(found, 'added', now);
    return;
  }
  const width = now.length + 1;
  // How long the common run of both ends from here on is.
  const common = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      add(found, 'same', [old[i++] as string]);
      j++;
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1))) {
      add(found, 'removed', [old[i++] as string]);
    } else {
      add(found, 'added', [now[j++] as string]);
    }
  }
}

function add(found: Change[], kind: Change['kind'], words: string[]): void {
  const text = words.join('');
  if (!text) return;
  const last = found.at(-1);
  if (last?.kind === kind) last.text += text;
  else found.push({ kind, text });
}
