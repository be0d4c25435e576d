/** What the settings of a workspace say. */
import { area } from '../messages.svelte';
import en from './en';

export const t = area(en, {
  de: () => import('./de'),
  it: () => import('./it'),
  ja: () => import('./ja'),
});
