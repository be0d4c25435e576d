/** Between what a field of the browser shows, which is local, and moments of the service, which are in UTC. */

/** A moment for a field of type datetime-local, down to the minute. */
export function localInput(at: string): string {
  const moment = new Date(at);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** What the field says as ISO 8601 in UTC; null for nothing. */
export function momentOf(local: string): string | null {
  const moment = new Date(local);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
