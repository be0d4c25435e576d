/** Light, dark, or as the system; remembered in this browser. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT = 'workspace-memory-theme';

function kept(): Theme {
  try {
    const found = localStorage.getItem(KEPT) as Theme | null;
    return found && THEMES.includes(found) ? found : 'system';
  } catch {
    return 'system';
  }
}

const state = $state<{ theme: Theme }>({ theme: kept() });
show();

export const currentTheme = (): Theme => state.theme;

export function chooseTheme(theme: Theme): void {
  state.theme = theme;
  show();
  try {
    localStorage.setItem(KEPT, theme);
  } catch {
    // A browser that keeps nothing shows the system's theme next time.
  }
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
