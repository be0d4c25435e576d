import { describe, expect, it } from 'vitest';
import { characters, label, pieces, queryWords } from './shown-text';

const joined = (text: string, options = {}): string =>
  pieces(text, options)
    .map((piece) => (piece.kind === 'text' ? piece.text : `[${piece.text}]`))
    .join('');

describe('a text that is shown', () => {
  it('has badges for what turns, hides or joins', () => {
    expect(joined('a\u202eb\u200bc\u00a0d')).toBe('a[U+202E]b[U+200B]c[U+00A0]d');
  });

  it('keeps line ends, tabulators and plain blanks', () => {
    expect(joined('a\tb\nc d')).toBe('a\tb\nc d');
  });

  it('keeps emoji whole in a list, and shows a reviewer what they are made of', () => {
    expect(joined('👩‍💻 ❤️', { relaxed: true })).toBe('👩‍💻 ❤️');
    expect(joined('👩‍💻')).toBe('👩[U+200D]💻');
    expect(joined('a\u200db\u200d', { relaxed: true })).toBe('a[U+200D]b[U+200D]');
  });

  it('marks the words of a query where words begin', () => {
    expect(joined('Tea and steam, TEAPOT', { words: queryWords('tea?') })).toBe('[Tea] and steam, [TEA]POT');
  });

  it('is cut for a label by whole characters', () => {
    expect(label('日本語の長い文', 4)).toBe('日本語の…');
  });

  it('is counted as the service counts it', () => {
    expect(characters('e\u0301😀')).toBe(2);
  });
});
