import { describe, expect, it } from 'vitest';
import cases from './cases.json';
import { findSecret } from './find-secret';

type Case = [kind: string, text: string, rule: string | null, line: number | null];

const decoded = (text: string): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)),
  );

const all = (cases as Case[]).map(([kind, text, rule, line], number) => ({
  name: `${number} ${kind}`,
  text: decoded(text),
  expected: rule === null ? null : { rule, line },
}));

it('is held to enough cases of each', () => {
  const secrets = all.filter((each) => each.expected !== null);
  expect(secrets.length).toBeGreaterThanOrEqual(200);
  expect(all.length - secrets.length).toBeGreaterThanOrEqual(200);
});

describe('the browser finds what Python finds, by the same rule and on the same line:', () => {
  it.each(all)('$name', async ({ text, expected }) => {
    expect(await findSecret(text)).toEqual(expected);
  });
});
