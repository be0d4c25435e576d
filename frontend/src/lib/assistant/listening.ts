/**
 * Hears a turn to its end, over as many connections as it takes: what was heard last is named in `Last-Event-ID`.
 *
 * A turn goes on while nobody listens. Each connection that brings something new counts anew; after so many that bring
 * nothing, TurnLost says that nobody knows how it went on.
 */
import { ApiError, Unreachable } from '../api/errors';
import { EventStreamParser, readEvents } from './event-stream';
import { turnEvent, type TurnEvent } from './turn-events';

export const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;

/** The connection is gone and did not come back. */
export class TurnLost extends Error {
  override readonly name = 'TurnLost';
}

/** Connects anew: the same request each time, with what was heard last. */
export type Connect = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;
export type Listening = {
  signal: AbortSignal;
  /** Told when a connection was lost and another is tried. */
  onlost?: () => void;
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** The events of a turn until it has ended. Raises ApiError for a refusal, TurnLost; AbortError when it is aborted. */
export async function* listen(
  connect: Connect,
  { signal, onlost, pause = wait }: Listening,
): AsyncGenerator<TurnEvent> {
  let last: string | undefined;
  let failures = 0;
  for (;;) {
    const parser = new EventStreamParser();
    try {
      const response = await connect(last, signal);
      if (!response.body) throw new Unreachable();
      for await (const { name, data, id } of readEvents(response.body, parser)) {
        if (name === 'problem') throw problemOf(data, response.status);
        if (id) last = id;
        failures = 0;
        const event = turnEvent(name, data);
        if (event) yield event;
        if (event?.is === 'turn_ended') return;
      }
    } catch (error) {
      if (signal.aborted) throw new DOMException('nobody listens any more', 'AbortError');
      if (error instanceof ApiError && !isPassing(error)) throw error;
      // Everything else is a stream that ended before the turn did.
    }
    if (signal.aborted) throw new DOMException('nobody listens any more', 'AbortError');
    failures += 1;
    if (failures >= ATTEMPTS) throw new TurnLost();
    onlost?.();
    await pause(parser.retry ?? Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS), signal);
  }
}

/** A service that is being started anew, or a proxy in front of it, answers like this for a moment. */
const isPassing = (error: ApiError): boolean =>
  error.code === 'unexpected_answer' && [502, 503, 504].includes(error.status);

function problemOf(data: string, status: number): ApiError {
  const facts = JSON.parse(data) as Record<string, unknown>;
  return new ApiError(
    typeof facts['status'] === 'number' ? facts['status'] : status,
    String(facts['code'] ?? 'unexpected_answer'),
    String(facts['detail'] ?? ''),
    facts,
    undefined,
  );
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => (signal.removeEventListener('abort', abort), resolve()), ms);
    const abort = (): void => {
      clearTimeout(timer);
      reject(new DOMException('nobody listens any more', 'AbortError'));
    };
    signal.addEventListener('abort', abort, { once: true });
  });
}
