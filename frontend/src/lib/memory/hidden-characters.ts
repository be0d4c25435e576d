/**
 * Characters that a reader does not see, and a form of the text in which they are seen: ⟦U+202E⟧.
 *
 * As in `domain/hidden_characters.py`. What is kept stays as it is. The editor shows as a badge exactly what the Assistant
 * is given in this form: blanks of other widths are left, which many languages need, and so are one or two joiners or
 * selectors, which scripts and emoji need; a longer run can carry a message.
 */

const BLANKS = '\\u00a0\\u115f\\u1160\\u3164\\uffa0\\u2800\\u180e';
const HIDDEN = new RegExp(
  `^(?![\\n\\t ])[${BLANKS}\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}\\p{Cf}\\p{Cc}\\p{Co}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}\\p{Zs}]$`,
  'u',
);
const JOINERS = '\\u200c\\u200d\\ufe0e\\ufe0f';
const JOINERS_MAX = 2;
const IS_JOINERS = new RegExp(`^[${JOINERS}]+$`, 'u');
const IS_BLANK = /^\p{Zs}$/u;

/** What could be hidden: a run of joiners, or one character that is not plain. With `matchAll` and `replace`. */
export const unusual = (): RegExp => new RegExp(`[${JOINERS}]+|[^ -~\\n\\t]`, 'gu');

/** A hidden character by its code, such as U+200B. */
export const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The hidden characters within something that `unusual` found; none where it is needed, or seen. */
export function hiddenIn(found: string): string[] {
  if (IS_BLANK.test(found)) return [];
  if (IS_JOINERS.test(found) && found.length <= JOINERS_MAX) return [];
  return [...found].filter((character) => HIDDEN.test(character));
}

/** The text with its hidden characters written as ⟦U+200B⟧. */
export const withHiddenShown = (text: string): string =>
  text.replace(unusual(), (found) =>
    hiddenIn(found).length === 0
      ? found
      : [...found]
          .map((character) => (HIDDEN.test(character) ? `⟦${codeOf(character)}⟧` : character))
          .join(''),
  );
