/** Numbers and moments as the chosen language writes them. */
import { currentLocale } from './messages.svelte';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const number = (value: number): string => value.toLocaleString(currentLocale());

/** "2 hours ago", "yesterday"; from 30 days on the date. `at` is what the service tells: ISO 8601 in UTC. */
export function ago(at: string, now: number = Date.now()): string {
  // A browser's clock may be behind the server's: what has happened is never said to come.
  const passed = Math.min(0, new Date(at).getTime() - now);
  const words = new Intl.RelativeTimeFormat(currentLocale(), { numeric: 'auto' });
  const distance = Math.abs(passed);
  if (distance < HOUR) return words.format(Math.round(passed / MINUTE), 'minute');
  if (distance < DAY) return words.format(Math.round(passed / HOUR), 'hour');
  if (distance < 30 * DAY) return words.format(Math.round(passed / DAY), 'day');
  return date(at);
}

export const date = (at: string): string =>
  new Date(at).toLocaleDateString(currentLocale(), { dateStyle: 'medium' });

/** The time of day, as `moment` writes it. */
const time = (at: Date): string => at.toLocaleTimeString(currentLocale(), { timeStyle: 'short' });

/** Until when something holds: the time of day, and the date too where that is another day. ISO 8601 in UTC, or ms. */
export function until(at: string | number, now: number = Date.now()): string {
  const then = new Date(at);
  return then.toDateString() === new Date(now).toDateString() ? time(then) : moment(at);
}

export const moment = (at: string | number): string =>
  new Date(at).toLocaleString(currentLocale(), { dateStyle: 'medium', timeStyle: 'short' });
