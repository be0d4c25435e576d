/**
 * The patterns, words and tables of the server's scanner, as `python -m tests.architecture.web_secret_patterns` wrote
 * them. Names are those of the Python modules in `src/workspace_memory/domain`.
 */
import { Pattern } from './pattern';
import data from './patterns.json';

type Row<Columns extends unknown[]> = Columns;

const all = data as unknown as {
  patterns: Record<string, [string, string]>;
  words: Record<string, string>;
  prefixed: Row<[rule: string, anchors: string, after: string]>[];
  marked: Row<[rule: string, anchor: string, before: string | null, after: string]>[];
  places: Row<[rule: string, gates: string[], source: string, flags: string]>[];
  keys: Row<[stem: string, source: string, digitsMin: number, marks: string, before: string | null]>[];
  look_alikes: [string, string];
  letters: [string, string];
  entities: Record<string, string>;
  charrefs: Record<string, string>;
  no_characters: number[];
};

/** A pattern by its name, such as `secret_values._CODE`. */
export function pattern(name: string): Pattern {
  const [source, flags] = all.patterns[name] ?? [];
  if (source === undefined || flags === undefined) throw new Error(`no pattern ${name}`);
  return new Pattern(source, flags);
}

/** A set of words by its name. */
export const words = (name: string): ReadonlySet<string> => new Set(listed(name).split(' '));

/** A set of characters by its name. */
export const characters = (name: string): ReadonlySet<string> => new Set(listed(name));

function listed(name: string): string {
  const text = all.words[name];
  if (text === undefined) throw new Error(`no words ${name}`);
  return text;
}

/** What is written in the place of which character. */
const byCharacter = ([from, to]: [string, string]): ReadonlyMap<string, string> =>
  new Map(Array.from(from, (character, place) => [character, to.charAt(place)]));

export const LOOK_ALIKES = byCharacter(all.look_alikes);
export const LETTERS = byCharacter(all.letters);
export const ENTITIES: ReadonlyMap<string, string> = new Map(Object.entries(all.entities));
/** What browsers read for a number that stands for no character of its own, such as 128 for the euro sign. */
export const CHARREFS: ReadonlyMap<number, string> = new Map(
  Object.entries(all.charrefs).map(([code, said]) => [Number(code), said]),
);
export const NO_CHARACTERS: ReadonlySet<number> = new Set(all.no_characters);

/** The shape of a maker's credential: a piece of text without which it cannot occur, and what stands around that. */
export type Shape = { rule: string; anchor: string; before: Pattern | null; after: Pattern; varied: boolean };

export const PREFIXED_SHAPES: Shape[] = all.prefixed.flatMap(([rule, anchors, source]) => {
  const after = new Pattern(source, 'u');
  return anchors.split(' ').map((anchor) => ({ rule, anchor, before: null, after, varied: true }));
});

export const MARKED_SHAPES: Shape[] = all.marked.map(([rule, anchor, before, after]) => ({
  rule,
  anchor,
  before: before === null ? null : new Pattern(before, 'u'),
  after: new Pattern(after, 'u'),
  varied: false,
}));

/** A place that tells a credential: one of the gates must be in the text for it to be looked for. */
export const PLACES = all.places.map(([rule, gates, source, flags]) => ({
  rule,
  gates,
  pattern: new Pattern(source, flags),
}));

/** A word that announces a value. `domain/secret_words.py` says what each member means. */
export type Key = {
  stem: string;
  pattern: Pattern;
  digitsMin: number;
  inside: boolean;
  said: boolean;
  pair: boolean;
  alone: boolean;
  before: Pattern | null;
};

export const KEYS: Key[] = all.keys.map(([stem, source, digitsMin, marks, before]) => ({
  stem,
  pattern: new Pattern(source, 'u'),
  digitsMin,
  inside: marks.includes('i'),
  said: marks.includes('s'),
  pair: marks.includes('p'),
  alone: marks.includes('a'),
  before: before === null ? null : new Pattern(before, 'u'),
}));
