import { describe, expect, it } from 'vitest';
import { passphraseMistake } from './passphrase';

describe('a new passphrase', () => {
  it('has 12 characters as people count them', () => {
    expect(passphraseMistake('eleven char', 'eleven char')).toBe('tooShort');
    expect(passphraseMistake('twelve chars', 'twelve chars')).toBeNull();
    expect(passphraseMistake('🔑'.repeat(11), '🔑'.repeat(11))).toBe('tooShort');
  });

  it('is typed twice the same', () => {
    expect(passphraseMistake('a long walk here', 'a long walk hers')).toBe('notTheSame');
  });

  it('is not the password, which the server sees', () => {
    expect(passphraseMistake('a long walk here', 'a long walk here', 'a long walk here')).toBe(
      'likePassword',
    );
  });
});
