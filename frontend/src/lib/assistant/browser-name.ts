/** The browser's usual name, by which a person knows its key session again in a list. */
const NAMES: readonly [RegExp, string][] = [
  [/\bFirefox\//, 'Firefox'],
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

export const browserName = (agent: string = navigator.userAgent): string | undefined =>
  NAMES.find(([pattern]) => pattern.test(agent))?.[1];
