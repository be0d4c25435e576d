/** How lines are compared. */
import { expect, it } from 'vitest';
import { closed } from './lines';

it('a last line is compared as if a line end followed it, and an empty text stays empty', () => {
  expect(['one', 'one\n', ''].map(closed)).toEqual(['one\n', 'one\n', '']);
});
