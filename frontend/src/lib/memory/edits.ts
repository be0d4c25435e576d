/**
 * What a suggestion makes of the text: one to five exact edits of single lines, in their order, all or none.
 *
 * The rules are those of `domain/line_editor.py`, since the suggestion was checked by them when it was made;
 * tests/vectors/edits.json holds both to the same results. An edit names what it changes by the whole line, so that a
 * stale or ambiguous target fails instead of touching other text.
 */
import { byteLength } from '../crypto/bytes';
import type { Edit } from '../keys/proposal-opening';
import {
  type Heading,
  type Line,
  type Outline,
  indentOf,
  isBlank,
  isStructure,
  joinLines,
  listPrefix,
  newlineOf,
  nextPrefix,
  outlineOf,
  parseHeading,
  sectionEnd,
  splitLines,
  stripped,
  structureOf,
  withoutMarker,
} from './markdown-lines';
import { RECALL_BYTES_MAX } from './sizes';

/** Why an edit is refused, by the codes of the service. */
export type EditRefusal =
  | 'empty_line'
  | 'not_one_line'
  | 'line_too_long'
  | 'ambiguous_heading'
  | 'target_not_found'
  | 'ambiguous_target'
  | 'duplicate_line'
  | 'structural_line'
  | 'heading_not_empty'
  | 'open_fence'
  | 'document_too_large';

/** An edit that does not apply; `index` counts from 0. */
export class EditRefused extends Error {
  override readonly name = 'EditRefused';
  constructor(
    readonly refusal: EditRefusal,
    readonly index: number,
  ) {
    super(refusal);
  }
}

const LINE_BYTES_MAX = 500;
// NFC puts at most four characters into one. What is longer cannot be a line of this length.
const CHARACTERS_MAX = 4 * LINE_BYTES_MAX;
const NEW_HEADING_LEVEL = 2;
// Controls, surrogates, separators of lines, bidi controls, zero-width characters.
const NOT_IN_A_LINE =
  /[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]/u;

/** The text after all of the edits; undefined where it says all of it already. Raises EditRefused. */
export const applyEdits = (text: string, edits: readonly Edit[]): string | undefined =>
  editSteps(text, edits)?.at(-1);

/** The text after each of the edits; undefined where it says all of them already. Raises EditRefused. */
export function editSteps(text: string, edits: readonly Edit[]): string[] | undefined {
  const editor = new LineEditor(text);
  let last: number | undefined;
  const steps = edits.map((edit, index) => {
    editor.index = index;
    if (editor.apply(edit)) last = index;
    return editor.text();
  });
  const changed = editor.text();
  if (last === undefined || changed === text) return undefined;
  if (byteLength(changed) > RECALL_BYTES_MAX) throw new EditRefused('document_too_large', last);
  return steps;
}

/** The lines of a text while edits are applied. Each operation answers whether it changed anything. */
class LineEditor {
  index = 0;
  #lines: Line[];
  readonly #newline: string;

  constructor(text: string) {
    this.#lines = splitLines(text);
    this.#newline = newlineOf(this.#lines);
  }

  /** The text as it is now, ending with one newline; empty when only blank lines are left. */
  text(): string {
    return joinLines(withoutBlankEnd(this.#lines).map((line) => this.#ended(line)));
  }

  apply(edit: Edit): boolean {
    switch (edit.op) {
      case 'add':
        return this.#add(edit.text, edit.heading);
      case 'replace':
        return this.#replace(edit.target, edit.text);
      case 'remove':
        return this.#remove(edit.target);
    }
  }

  /** Put a line at the end of the section under a heading, or of the text where the heading is empty. */
  #add(text: string, heading: string): boolean {
    const added = this.#checked(text);
    if (isStructure(added)) this.#refuse('structural_line');
    if (this.#lines.some((line) => says(line, added))) return false;
    const outline = outlineOf(this.#lines);
    const [level, title] = heading ? this.#levelAndTitle(heading) : [undefined, ''];
    const found = heading ? this.#findHeading(outline, level, title) : undefined;
    const total = this.#lines.length;
    const start = found ? found.line + found.lines : 0;
    const end = found ? sectionEnd(outline, found, total) : total;
    if (outline.openFence && end === total) this.#refuse('open_fence');
    if (heading && !found) this.#addSection(outline, level ?? NEW_HEADING_LEVEL, title, added);
    else this.#addBetween(outline, start, end, added);
    return true;
  }

  /** Put another text in the place of the one line that is the target. Indent and list marker stay. */
  #replace(target: string, text: string): boolean {
    const wanted = this.#checked(target, true);
    const put = this.#checked(text);
    const number = this.#find(wanted);
    const outline = outlineOf(this.#lines);
    const line = this.#lines[number] as Line;
    const structure = structureOf(outline);
    const at = outline.headings.findIndex((heading) => heading.line === number);
    const parsed = parseHeading(put);
    if (at >= 0) {
      if ((outline.headings[at] as Heading).lines > 1 || !parsed?.[1]) this.#refuse('structural_line');
      structure[at] = parsed;
    } else if (isStructure(put) && !(outline.opaque.has(number) && parsed)) {
      this.#refuse('structural_line');
    }
    if (says(line, put)) return false;
    if (this.#lines.some((other, place) => place !== number && says(other, put)))
      this.#refuse('duplicate_line');
    const prefix = listPrefix(line.text);
    const changed = prefix ? prefix + withoutMarker(put) : indentOf(line.text) + put;
    this.#write(
      this.#lines.with(number, { text: changed, ending: line.ending }),
      structure,
      outline,
      outline.opaque.size,
    );
    return true;
  }

  /** Take out the one line that is the target, and the blank line that would be doubled by that. */
  #remove(target: string): boolean {
    const number = this.#find(this.#checked(target, true));
    const outline = outlineOf(this.#lines);
    const structure = structureOf(outline);
    if (outline.delimiters.has(number)) this.#refuse('structural_line');
    const at = outline.headings.findIndex((heading) => heading.line === number);
    const heading = outline.headings[at];
    let after = number + 1;
    if (heading) {
      after = number + heading.lines;
      const end = sectionEnd(outline, heading, this.#lines.length, heading.level);
      if (!this.#lines.slice(after, end).every((line) => isBlank(line.text)))
        this.#refuse('heading_not_empty');
      structure.splice(at, 1);
    }
    const isOpaque = outline.opaque.has(number);
    let parts: [Line[], Line[]] = [this.#lines.slice(0, number), this.#lines.slice(after)];
    if (!isOpaque) parts = withOneBlankBetween(...parts);
    this.#write(parts.flat(), structure, outline, outline.opaque.size - (isOpaque ? 1 : 0));
    return true;
  }

  #addBetween(outline: Outline, start: number, end: number, added: string): void {
    const place = start + withoutBlankEnd(this.#lines.slice(start, end)).length;
    const prefix = this.#siblingPrefix(outline, start, place);
    const put = [this.#new(prefix ? prefix + withoutMarker(added) : asItem(added))];
    if (place > 0 && !prefix) put.unshift(this.#new(''));
    if (place === end && end < this.#lines.length) put.push(this.#new(''));
    this.#write(this.#lines.toSpliced(place, 0, ...put), structureOf(outline), outline, outline.opaque.size);
  }

  #addSection(outline: Outline, level: number, title: string, added: string): void {
    const lines = withoutBlankEnd(this.#lines);
    const section = [`${'#'.repeat(level)} ${title}`, '', asItem(added)];
    const put = (lines.length ? ['', ...section] : section).map((text) => this.#new(text));
    this.#write([...lines, ...put], [...structureOf(outline), [level, title]], outline, outline.opaque.size);
  }

  /**
   * The prefix that continues the list in front of a place; empty where there is none. The list item may be followed by
   * further lines of its own, which are indented more than it is.
   */
  #siblingPrefix(outline: Outline, start: number, place: number): string {
    let depth: number | undefined;
    for (let number = place - 1; number >= start; number -= 1) {
      const { text } = this.#lines[number] as Line;
      if (isBlank(text)) continue;
      const indent = indentOf(text).length;
      if ((depth === undefined || indent < depth) && !outline.opaque.has(number) && listPrefix(text))
        return nextPrefix(text);
      depth = depth === undefined ? indent : Math.min(indent, depth);
    }
    return '';
  }

  /** The text as a line, in NFC and without outer blanks. A copied one may have tabulators within. */
  #checked(text: string, copied = false): string {
    const line = stripped(text);
    if (NOT_IN_A_LINE.test(copied ? line.replaceAll('\t', ' ') : line)) this.#refuse('not_one_line');
    if (isBlank(line)) this.#refuse('empty_line');
    if (characters(line) > CHARACTERS_MAX) this.#refuse('line_too_long');
    const composed = line.normalize('NFC');
    if (byteLength(composed) > LINE_BYTES_MAX) this.#refuse('line_too_long');
    return composed;
  }

  #levelAndTitle(heading: string): [number | undefined, string] {
    const line = this.#checked(heading, true);
    const [level, title] = parseHeading(line) ?? [undefined, parseHeading(`# ${line}`)?.[1] ?? line];
    if (!title) this.#refuse('empty_line');
    return [level, title];
  }

  #findHeading(outline: Outline, level: number | undefined, title: string): Heading | undefined {
    const found = outline.headings.filter(
      (each) => (level === undefined || each.level === level) && normal(each.title) === title,
    );
    if (found.length > 1) this.#refuse('ambiguous_heading');
    return found[0];
  }

  /** The number of the one line that is equal to the text; without list markers only when none is. */
  #find(wanted: string): number {
    const texts = this.#lines.map((line) => normal(line.text));
    const numbers = (is: (text: string) => boolean): number[] =>
      texts.flatMap((text, number) => (is(text) ? [number] : []));
    let found = numbers((text) => text === wanted);
    if (!found.length) found = numbers((text) => withoutMarker(text) === withoutMarker(wanted));
    if (found.length > 1) this.#refuse('ambiguous_target');
    return found[0] ?? this.#refuse('target_not_found');
  }

  /**
   * Take over the lines, unless another heading or fence than those came out of it. That can happen although each line
   * is harmless: a line that was not below another one becomes its underline.
   */
  #write(lines: Line[], structure: [number, string][], before: Outline, opaque: number): void {
    const ended = lines.map((line) => this.#ended(line));
    const after = outlineOf(ended);
    const isAsMeant =
      JSON.stringify(structureOf(after)) === JSON.stringify(structure) &&
      after.openFence === before.openFence &&
      after.opaque.size === opaque;
    if (!isAsMeant) this.#refuse('structural_line');
    this.#lines = ended;
  }

  #refuse(refusal: EditRefusal): never {
    throw new EditRefused(refusal, this.index);
  }

  #new = (text: string): Line => ({ text, ending: this.#newline });
  #ended = (line: Line): Line => ({ text: line.text, ending: line.ending || this.#newline });
}

const characters = (text: string): number => [...text].length;

/** The text as lines are compared: NFC, without outer blanks. */
function normal(text: string): string {
  const bare = stripped(text);
  return characters(bare) <= CHARACTERS_MAX ? bare.normalize('NFC') : bare;
}

/** Whether the line is this text, whatever its list marker. */
const says = (line: Line, text: string): boolean => withoutMarker(normal(line.text)) === withoutMarker(text);

const asItem = (text: string): string => (listPrefix(text) ? text : `- ${text}`);

const withoutBlankEnd = (lines: readonly Line[]): Line[] =>
  lines.slice(0, lines.findLastIndex((line) => !isBlank(line.text)) + 1);

/** Both parts, with only one blank line where blank lines of both meet. */
function withOneBlankBetween(before: Line[], after: Line[]): [Line[], Line[]] {
  const last = before.at(-1);
  const first = after[0];
  if (!last || !first || !isBlank(last.text) || !isBlank(first.text)) return [before, after];
  const kept = before.slice(0, withoutBlankEnd(before).length + 1);
  const rest = after.findIndex((line) => !isBlank(line.text));
  return [kept, rest < 0 ? [] : after.slice(rest)];
}
