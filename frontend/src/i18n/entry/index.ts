/** The pages before a person is signed in: sign-in and one-time links. */
import { area } from '../messages.svelte';
import en from './en';

export const t = area(en, {
  de: () => import('./de'),
  it: () => import('./it'),
  ja: () => import('./ja'),
});
