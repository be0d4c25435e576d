/** What the page says that connects a client, and every list of clients. */
import { area } from '../messages.svelte';
import en from './en';

export const t = area(en, {
  de: () => import('./de'),
  it: () => import('./it'),
  ja: () => import('./ja'),
});
