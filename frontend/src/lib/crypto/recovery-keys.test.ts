import { expect, it } from 'vitest';
import { RecoveryKeyMistyped } from './errors';
import { readRecoveryKey, regrouped, writeRecoveryKey } from './recovery-keys';
import { alice, hex } from './vectors.fixture';

const WRITTEN = alice.recovery_key_written;

it.each([
  ['in small letters', WRITTEN.toLowerCase()],
  ['without blanks', WRITTEN.replaceAll(' ', '')],
  ['with hyphens', WRITTEN.replaceAll(' ', '-')],
  ['with dashes of a word processor', WRITTEN.replaceAll(' ', '\u2013')],
  ['on several lines', WRITTEN.replaceAll(' ', '\r\n')],
  ['with O for 0, I and L for 1', WRITTEN.replace('01', 'Ol').replace('0', 'o').replace('1', 'I')],
  ['in full width', WRITTEN.replace(/[0-9A-Z]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))],
  ['with invisible characters', `\u200b${WRITTEN}\ufeff`],
])('is read %s', async (_, written) => {
  expect(hex(await readRecoveryKey(written))).toBe(alice.recovery_key);
});

it.each([
  ['a character too few', WRITTEN.slice(0, -1), 'length', undefined],
  ['a character too many', `${WRITTEN}0`, 'length', undefined],
  ['nothing', '', 'length', undefined],
  ['a U in the second group', WRITTEN.replace('HDGG', 'HDGU'), 'character', 2],
  ['a sharp s, whose capital is SS', WRITTEN.replace('D425', 'D42ß'), 'character', 1],
  ['another character', WRITTEN.replace('D425', 'D424'), 'checksum', undefined],
  ['two characters swapped', WRITTEN.replace('D425', 'D452'), 'checksum', undefined],
])('is refused with %s', async (_, written, mistake, group) => {
  const error = await readRecoveryKey(written).catch((raised: unknown) => raised);
  expect(error).toBeInstanceOf(RecoveryKeyMistyped);
  expect(error).toMatchObject({ mistake, group });
});

it('is shown in the same groups as it was written, however it was typed', () => {
  for (const typed of [WRITTEN.toLowerCase(), WRITTEN.replaceAll(' ', '-'), WRITTEN.replaceAll(' ', '\n')]) {
    expect(regrouped(typed)).toBe(WRITTEN);
  }
  expect(regrouped(' d425h-')).toBe('D425 H');
});

it('is written and read back', async () => {
  const secret = Uint8Array.from({ length: 32 }, (_, byte) => byte * 8);
  expect(hex(await readRecoveryKey(await writeRecoveryKey(secret)))).toBe(hex(secret));
});
