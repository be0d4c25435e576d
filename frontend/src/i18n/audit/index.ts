/** What the page of the audit log says, and each event in words. */
import { area } from '../messages.svelte';
import en from './en';

export const t = area(en, {
  de: () => import('./de'),
  it: () => import('./it'),
  ja: () => import('./ja'),
});
