/**
 * One way to call the REST interface: same origin, the session's cookie, JSON in UTF-8.
 *
 * Nothing is sent twice and nothing is queued: who wants to try again calls again. A session that has ended is told to
 * whoever listens with `onSignedOut`, once for each answer.
 */
import { ApiError, Unreachable } from './errors';

export const PREFIX = '/api/v1';

type Query = Record<string, string | number | boolean | null | undefined>;
export type Call = {
  query?: Query;
  body?: unknown;
  headers?: Record<string, string | undefined>;
  signal?: AbortSignal;
};

let signedOut: () => void = () => {};
let refused: () => void = () => {};
let pageUser: string | undefined;
/** Says what happens when the service does not know the session any more. */
export const onSignedOut = (then: () => void): void => void (signedOut = then);

/** Says what happens when the service refuses something: what a person may do can have changed meanwhile. */
export const onRefused = (then: () => void): void => void (refused = then);
/**
 * Say whose page this is. The service refuses what comes under another person's session, such as after another tab has
 * signed in as somebody else: what is sealed or meant by one must not be stored as the other's.
 */
export const setPageUser = (user: string | undefined): void => void (pageUser = user);

/** A path below /api/v1, with each `${part}` encoded: path`/workspaces/${id}/tokens`. */
export function path(words: TemplateStringsArray, ...parts: (string | number)[]): string {
  return words.reduce((all, word, i) => all + encodeURIComponent(String(parts[i - 1])) + word);
}

/** Call a route and read its JSON. Raises ApiError or Unreachable; an abort is the DOMException that it is. */
export async function call<Answer = void>(method: string, at: string, options: Call = {}): Promise<Answer> {
  const response = await send(method, at, options);
  if (response.status === 204) return undefined as Answer;
  try {
    return (await response.json()) as Answer;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    // It was carried out, or not: an answer that broke off says neither.
    throw new Unreachable();
  }
}

/** Call a route and hand out the answer as it comes: files, streams. Raises as `call`. */
export async function send(method: string, at: string, options: Call = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(PREFIX + at + asQuery(options.query), {
      method,
      headers: headersOf(options),
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
      credentials: 'same-origin',
      cache: 'no-store',
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable();
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

function headersOf(options: Call): Headers {
  const headers = new Headers({ Accept: 'application/json' });
  if (options.body !== undefined) headers.set('Content-Type', 'application/json');
  if (pageUser !== undefined) headers.set('X-Page-User', pageUser);
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

function asQuery(query: Query | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return pairs.length ? `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}` : '';
}

async function refusal(response: Response): Promise<ApiError> {
  let facts: Record<string, unknown> = {};
  try {
    facts = (await response.json()) as Record<string, unknown>;
  } catch {
    // An answer of something between us, such as a proxy: its status is all there is.
  }
  const wait = Number(response.headers.get('retry-after') ?? facts['retry_after']);
  const error = new ApiError(
    response.status,
    typeof facts['code'] === 'string' ? facts['code'] : 'unexpected_answer',
    typeof facts['detail'] === 'string' ? facts['detail'] : '',
    facts,
    Number.isFinite(wait) && wait > 0 ? wait : undefined,
  );
  if (error.code === 'not_authenticated') signedOut();
  if (error.status === 403 || error.status === 404) refused();
  return error;
}
