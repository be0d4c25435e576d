/** Light, dark, or as the system; remembered in this browser. */
import { keep, kept } from './kept';

const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT = 'theme';

const state = $state<{ theme: Theme }>({ theme: chosenBefore() });
show();

export const currentTheme = (): Theme => state.theme;

export function chooseTheme(theme: Theme): void {
  state.theme = theme;
  show();
  keep(KEPT, theme);
}

/** What the command palette and the button in the corner do: the other one of what is seen now. */
export function switchTheme(): void {
  const dark =
    state.theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : state.theme === 'dark';
  chooseTheme(dark ? 'light' : 'dark');
}

function show(): void {
  if (state.theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = state.theme;
}

function chosenBefore(): Theme {
  return THEMES.find((each) => each === kept(KEPT)) ?? 'system';
}
