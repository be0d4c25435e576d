import { describe, expect, it } from 'vitest';
import { ownPath } from './own-path';

const HERE = 'https://memory.example.com';

describe('where somebody goes after signing in', () => {
  it.each(['/account', '/w/019d2f6e/items', '/w/019d2f6e/items?tab=review'])(
    'is %s, a page of this application',
    (to) => {
      expect(ownPath(to, HERE)).toBe(to);
    },
  );

  it.each([
    null,
    '',
    'account',
    '//mallory.example.com/w/1/items',
    '/\\mallory.example.com/account',
    '/\t/mallory.example.com/account',
    'https://mallory.example.com/account',
    'javascript:alert(1)',
    '/sign-in?to=/account',
    '/accept',
    '/nothing',
    '/account/../../sign-in',
  ])('is the start for %s', (to) => {
    expect(ownPath(to, HERE)).toBe('/');
  });
});
