import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { chooseLocale, preferredLocale, ready } from './i18n/messages.svelte';

const start = async (): Promise<void> => {
  const preferred = preferredLocale();
  // English is always there; a language that cannot be loaded must not keep the page from being shown.
  if (preferred !== 'en') await chooseLocale(preferred).catch(() => undefined);
  await ready();
  mount(App, { target: document.getElementById('app') as HTMLElement });
};
void start();
