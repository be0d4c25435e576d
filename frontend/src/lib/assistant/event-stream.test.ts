import { describe, expect, it } from 'vitest';
import { EventStreamParser, readEvents, type StreamEvent } from './event-stream';

const TEXT =
  'id: a.1\nevent: text_added\ndata: {"text":"Grüße 東京 🎉"}\n\nid: a.2\nevent: turn_ended\ndata: {}\n\n';
const EVENTS: StreamEvent[] = [
  { id: 'a.1', name: 'text_added', data: '{"text":"Grüße 東京 🎉"}' },
  { id: 'a.2', name: 'turn_ended', data: '{}' },
];

function streamOf(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function heard(chunks: Uint8Array[]): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(streamOf(chunks))) events.push(event);
  return events;
}

const parsed = (...chunks: string[]): StreamEvent[] => {
  const parser = new EventStreamParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
};

describe('a stream of events', () => {
  it('is the same wherever its bytes are cut, also within a character', async () => {
    const bytes = new TextEncoder().encode(TEXT);
    for (let at = 0; at <= bytes.length; at++) {
      expect(await heard([bytes.slice(0, at), bytes.slice(at)]), String(at)).toEqual(EVENTS);
    }
    expect(await heard([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(EVENTS);
  });

  it.each(['\n', '\r\n', '\r'])('takes %j as the end of a line, also when it is cut', (end) => {
    const text = TEXT.replaceAll('\n', end) + ': over\n';
    expect(parsed(text)).toEqual(EVENTS);
    expect(parsed(...text)).toEqual(EVENTS);
  });

  it('leaves comments out, and a byte order mark', () => {
    expect(parsed(`\uFEFF: keep-alive\n\n${TEXT}: keep-alive\n\n`)).toEqual(EVENTS);
  });

  it('joins the lines of data, and takes one blank off each', () => {
    expect(parsed('data: a\ndata:  b\ndata\n\n')).toEqual([{ id: '', name: 'message', data: 'a\n b\n' }]);
  });

  it('keeps the last id for events that have none', () => {
    expect(parsed('id: 7\ndata: a\n\ndata: b\n\n').map((event) => event.id)).toEqual(['7', '7']);
  });

  it('does not take what was cut off for an event, nor a name without data', () => {
    expect(parsed('event: turn_ended\n\nevent: text_added\ndata: {"text":"a"}\n')).toEqual([]);
  });

  it('remembers after which time to come back, and only numbers', () => {
    const parser = new EventStreamParser();
    parser.push('retry: soon\n');
    expect(parser.retry).toBeUndefined();
    parser.push('retry: 1500\n');
    expect(parser.retry).toBe(1500);
  });

  it('lets go of the connection when nobody listens any more', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(TEXT)),
      cancel: () => void (cancelled = true),
    });
    for await (const _ of readEvents(body)) break;
    expect(cancelled).toBe(true);
  });
});
