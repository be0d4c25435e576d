/**
 * A text of somebody else as it may be shown: what a reader does not see becomes a badge, matches are marked.
 *
 * The rule is the service's `hidden_characters.py`. In a list (`relaxed`) characters stay that only shape an emoji,
 * since they can hide nothing; a reviewer sees every one.
 */
export type Piece = { kind: 'text' | 'match' | 'hidden'; text: string };

const HIDDEN =
  /[\u00a0\u115f\u1160\u3164\uffa0\u2800\u180e\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?![\n\t])[\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const EMOJI = /\p{Emoji}$/u;
const PICTURE = /^\p{Extended_Pictographic}/u;
const PICTURE_BEFORE = /[\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}]\ufe0f?$/u;

/** The text in pieces; `words` are marked where they stand at the beginning of a word. */
export function pieces(
  text: string,
  options: { relaxed?: boolean; words?: readonly string[] } = {},
): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (options.relaxed && shapesEmoji(text, match.index, match[0])) continue;
    addText(found, text.slice(from, match.index), options.words);
    found.push({ kind: 'hidden', text: codeOf(match[0]) });
    from = match.index + match[0].length;
  }
  addText(found, text.slice(from), options.words);
  return found;
}

/** The same as a plain text, for labels: hidden characters as ⟦U+200B⟧, cut after `length` characters. */
export function label(text: string, length = 60): string {
  const shown = pieces(text)
    .map((piece) => (piece.kind === 'hidden' ? `⟦${piece.text}⟧` : piece.text))
    .join('');
  const characters = [...shown];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : shown;
}

/** The words of a query, lower-cased: what the service may have found an item by. */
export const queryWords = (query: string): string[] => [
  ...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []),
];

/** Characters as the service counts them: code points after composing. */
export const characters = (text: string): number => [...text.normalize('NFC')].length;

function addText(found: Piece[], text: string, words: readonly string[] | undefined): void {
  if (!text) return;
  if (!words?.length) {
    found.push({ kind: 'text', text });
    return;
  }
  const any = [...words].sort((one, other) => other.length - one.length).join('|');
  let from = 0;
  for (const match of text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})`, 'giu'))) {
    if (match.index > from) found.push({ kind: 'text', text: text.slice(from, match.index) });
    found.push({ kind: 'match', text: match[0] });
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ kind: 'text', text: text.slice(from) });
}

function shapesEmoji(text: string, at: number, character: string): boolean {
  const before = text.slice(0, at);
  if (character === '\ufe0f') return EMOJI.test(before);
  return character === '\u200d' && PICTURE_BEFORE.test(before) && PICTURE.test(text.slice(at + 1));
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
