/**
 * What the service finds wrong with something that was typed or chosen, in the chosen language. Its own sentence is
 * English; what no sentence here is known for stands behind a translated one.
 */
import { t } from './shell';

type Key = Parameters<typeof t>[0];

const SENTENCES: readonly (readonly [RegExp, Key])[] = [
  [/one line,? without control characters/, 'badLine'],
  [/contains a NUL (character|byte)/, 'badNul'],
  [/surrogate|not valid Unicode|not valid UTF-8/, 'badUnicode'],
  [/at most (?<n>[\d,]+) (characters|tags)|at most (?<m>[\d,]+) are allowed/, 'badLong'],
  [/1 to (?<n>[\d,]+) characters/, 'badLength'],
  [/at least (?<n>[\d,]+) characters/, 'badShort'],
  [/e-mail address such as/, 'badEmail'],
  [/must lie in the future/, 'badPast'],
  [/must be a day such as/, 'badDay'],
  [/: must not be empty|a tag must not be empty/, 'badEmpty'],
  [/has no word to look for/, 'badQuery'],
  [/line (?<n>\d+): is longer than/, 'badFileLine'],
  [/is UTF-16|is not UTF-8/, 'badFileText'],
  [/is not JSON|is not a JSON object/, 'badFileJson'],
  [/holds no list of memories/, 'badFileList'],
  [/nothing to import|^file: .* is empty$/, 'badFileEmpty'],
  [/was cut off|items were exported, but/, 'badFileCut'],
  [/since the export|is not the exported one/, 'badFileChanged'],
];

export function malformed(detail: string): string {
  for (const [pattern, key] of SENTENCES) {
    const found = pattern.exec(detail);
    if (!found) continue;
    const n = (found.groups?.['n'] ?? found.groups?.['m'] ?? '').replaceAll(',', '');
    return t(key, n ? { n: Number(n) } : {});
  }
  return detail ? t('badOther', { detail }) : t('errorUnknown');
}
