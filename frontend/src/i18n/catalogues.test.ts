/** Every catalogue says the same things in every language. */
import { describe, expect, it } from 'vitest';
import { LOCALES, say, type Catalogue, type Message } from './messages.svelte';

const files = import.meta.glob<{ default: Catalogue }>('./*/{en,de,it,ja}.ts', { eager: true });
const areas = [...new Set(Object.keys(files).map((file) => file.split('/')[1] as string))];

const forms = (message: Message): string[] =>
  typeof message === 'string' ? [message] : Object.values(message);
const names = (message: Message): string[] =>
  [...new Set(forms(message).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();

describe.each(areas)('the catalogue of %s', (area) => {
  const english = files[`./${area}/en.ts`]?.default as Catalogue;

  it.each(LOCALES)('is complete in %s', (language) => {
    const catalogue = files[`./${area}/${language}.ts`]?.default;
    expect(Object.keys(catalogue ?? {}).sort()).toEqual(Object.keys(english).sort());
    for (const [key, message] of Object.entries(catalogue ?? {})) {
      expect(names(message), `${language} ${key}`).toEqual(names(english[key] as Message));
      expect(
        forms(message).every((form) => form.trim()),
        `${language} ${key}`,
      ).toBe(true);
    }
  });
});

describe('a message', () => {
  it('takes the plural form of its number and writes the number as the language does', () => {
    const message = { one: '{n} item', other: '{n} items' };
    expect(say(message, { n: 1 }, 'en')).toBe('1 item');
    expect(say(message, { n: 1200 }, 'en')).toBe('1,200 items');
    expect(say('{n} Bytes', { n: 8192 }, 'de')).toBe('8.192 Bytes');
  });
});
