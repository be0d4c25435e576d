/**
 * Texts in four languages, by area: each page brings its own catalogue, so that a page loads only what it says.
 *
 *     export const t = area(en, { de: () => import('./de'), it: () => import('./it'), ja: () => import('./ja') });
 *     t('saved', { n: 12 })
 *
 * English is always there; another language is loaded when it is chosen, and `ready()` waits for it. A message is a
 * text with `{names}`, or its plural forms by `Intl.PluralRules` of `{n}`. catalogues.test.ts holds the languages to
 * the same messages and names.
 */

import { keep, kept } from '../lib/state/kept';

export const LOCALES = ['en', 'de', 'it', 'ja'] as const;
export type Locale = (typeof LOCALES)[number];
/** Each language's own name. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  en: 'English',
  de: 'Deutsch',
  it: 'Italiano',
  ja: '日本語',
};
type Plural = { readonly other: string } & { readonly [form in Intl.LDMLPluralRule]?: string };
export type Message = string | Plural;
export type Catalogue = Readonly<Record<string, Message>>;
/** What a translation of a catalogue has to be. */
export type Translated<English extends Catalogue> = Readonly<Record<keyof English, Message>>;
export type Values = Readonly<Record<string, string | number>>;
type Others<English extends Catalogue> = Record<
  Exclude<Locale, 'en'>,
  () => Promise<{ default: Translated<English> }>
>;

const KEPT = 'language';

let locale = $state<Locale>('en');
const areas: { load(to: Locale): Promise<void> }[] = [];
let loading: Promise<unknown> = Promise.resolve();

export const currentLocale = (): Locale => locale;

/** Make a catalogue known; the function that says its messages. */
export function area<English extends Catalogue>(english: English, others: Others<English>) {
  const loaded = $state<{ in: Partial<Record<Locale, Translated<English>>> }>({ in: { en: english } });
  const own = {
    async load(to: Locale): Promise<void> {
      if (to !== 'en' && !loaded.in[to]) loaded.in[to] = (await others[to]()).default;
    },
  };
  areas.push(own);
  loading = Promise.all([loading, own.load(locale)]);

  return (key: keyof English & string, values: Values = {}): string =>
    say((loaded.in[locale] ?? english)[key], values, locale);
}

/** When every catalogue that is known by now has the chosen language. */
export const ready = (): Promise<unknown> => loading;

/** Switch the language everywhere, and remember it in this browser. */
export async function chooseLocale(chosen: Locale): Promise<void> {
  await (loading = Promise.all(areas.map((each) => each.load(chosen))));
  locale = chosen;
  document.documentElement.lang = chosen;
  keep(KEPT, chosen);
}

/** The language that was chosen here before, else the first of the browser's that there is. */
export function preferredLocale(): Locale {
  const wanted = [kept(KEPT), ...navigator.languages].map((each) => each?.slice(0, 2).toLowerCase());
  return LOCALES.find((each) => each === wanted.find((one) => LOCALES.includes(one as Locale))) ?? 'en';
}

/** Fill a message in. Numbers are written as the language does. */
export function say(message: Message, values: Values, language: Locale): string {
  const chosen =
    typeof message === 'string'
      ? message
      : (message[new Intl.PluralRules(language).select(Number(values['n'] ?? 0))] ?? message.other);
  return chosen.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? value.toLocaleString(language) : (value ?? '');
  });
}
