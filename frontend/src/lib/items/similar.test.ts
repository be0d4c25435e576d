import { expect, it } from 'vitest';
import { areSimilar } from './similar';

it('finds texts that share most of their words, and no others', () => {
  expect(areSimilar('The office closes at six', 'Our office closes at seven')).toBe(true);
  expect(areSimilar('The office closes at six', 'Release notes are written in English')).toBe(false);
  expect(areSimilar('tea', 'tea')).toBe(false);
});
