/** The Assistant: what answers, turns that are heard while they run, and the turns that are stored. */
import { call, path, send } from './client';
import type { AssistantOut, MessagesOut } from './schema';

/** Which model answers, and the tokens of today. */
export const getAssistant = (workspace: string): Promise<AssistantOut> =>
  call('GET', path`/workspaces/${workspace}/assistant`);

const STREAM = { Accept: 'text/event-stream' };

/**
 * Send a message, and hear its turn as server-sent events. The same `key` begins no second turn: the first one is told,
 * from `after` on.
 */
export const sendMessage = (
  conversation: string,
  message: { text: string; key: string; memoryState: string | undefined; after: string | undefined },
  signal: AbortSignal,
): Promise<Response> =>
  send('POST', path`/agents/assistant/${conversation}/messages`, {
    body: { message: message.text },
    headers: {
      ...STREAM,
      'Idempotency-Key': message.key,
      'X-Memory-State': message.memoryState,
      'Last-Event-ID': message.after,
    },
    signal,
  });

/** Hear a turn that has begun. */
export const hearTurn = (
  conversation: string,
  turn: number,
  after: string | undefined,
  signal: AbortSignal,
): Promise<Response> =>
  send('GET', path`/agents/assistant/${conversation}/turns/${turn}/events`, {
    headers: { ...STREAM, 'Last-Event-ID': after },
    signal,
  });

/** End a running turn; what it has said stays. */
export const stopTurn = (conversation: string, turn: number): Promise<void> =>
  call('POST', path`/agents/assistant/${conversation}/turns/${turn}/stop`, { body: {} });

/** Turns after a number, oldest first. `key_session_required` */
export const listTurns = (
  conversation: string,
  query: { after: number; limit: number },
): Promise<MessagesOut> => call('GET', path`/agents/assistant/${conversation}/messages`, { query });
