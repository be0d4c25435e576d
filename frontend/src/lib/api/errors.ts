/** What can go wrong between the page and the service. */

/** A refusal of the service, as its problem+json said it. `code` is one of docs/reference/errors.md. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    /** Every member of the problem, such as `current`, `retry_after` or `errors`. */
    readonly facts: Readonly<Record<string, unknown>>,
    /** Seconds after which to try again, where the service said so. */
    readonly retryAfter: number | undefined,
  ) {
    super(`${status} ${code}`);
  }
}

/** Nobody answered: the network or the service is away, and nobody knows whether a change was carried out. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/**
 * Whether it is uncertain what became of a change: nobody answered, or something between did. The service's own refusals
 * say what they are; a bare 5xx comes from a proxy, or from an error after the commit.
 */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof ApiError &&
    error.status >= 500 &&
    ['unexpected_answer', 'internal_error'].includes(error.code));

export const isCode = (error: unknown, ...codes: string[]): error is ApiError =>
  error instanceof ApiError && codes.includes(error.code);
