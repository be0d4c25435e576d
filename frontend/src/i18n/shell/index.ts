/** What the frame around every page says, and the words that all pages share. */
import { area } from '../messages.svelte';
import en from './en';

export const t = area(en, {
  de: () => import('./de'),
  it: () => import('./it'),
  ja: () => import('./ja'),
});
