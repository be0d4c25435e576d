import { describe, expect, it } from 'vitest';
import { malformed } from './malformed';

describe('what the service finds wrong', () => {
  it.each([
    ['name: must be one line without control characters', 'Only one line fits here'],
    ['title: must be one line, without control characters', 'Only one line fits here'],
    ['workspace_name: must have at most 100 characters', 'At most 100 fit here'],
    ['content: has 1,234 characters; at most 1,000 are allowed. Save the parts', 'At most 1,000 fit here'],
    ['tags: at most 10 tags are allowed, not 11', 'At most 10 fit here'],
    ['content: contains a NUL character, which no text has', 'a NUL character'],
    ['The body is not valid JSON: it contains a NUL byte.', 'a NUL character'],
    ['file: contains half of a surrogate pair, which is not valid Unicode', 'not valid Unicode'],
    ['content: must not be empty', 'Something has to stand here'],
    ['password: must have at least 12 characters', 'at least 12 characters'],
    ['email: must be an e-mail address such as alice@example.com', 'no e-mail address'],
    ['expires_at: must lie in the future', 'in the future'],
    ['file: notes.txt, line 3: is not UTF-8', 'no text in UTF-8'],
    ['file: notes.json, line 3: is not JSON (Expecting value)', 'as JSON'],
    ['file: notes.txt is empty', 'nothing in the file'],
    [
      'file: x.jsonl, line 9: the file was cut off, its last line is missing. Rest',
      'end of the file is missing',
    ],
  ])('%s', (detail, said) => {
    expect(malformed(detail)).toContain(said);
  });

  it('stands behind a sentence where it is not known', () => {
    expect(malformed('moon: is full')).toBe(
      'The service refused what was entered. In its words: moon: is full',
    );
  });
});
