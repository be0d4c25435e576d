/**
 * What is written to the Assistant and was not accepted yet, for each conversation apart: typed, or sent and come back.
 *
 * It is kept while the page lives, in its memory alone, so that a look at another conversation or page loses nothing.
 */
import { session, whenLeaving } from '../state/session.svelte';
import type { Unaccepted } from './chat.svelte';
import type { Turn } from './turn';

type Written = { text: string; sent?: Unaccepted | undefined };

const written = $state<Record<string, Written>>({});
whenLeaving(() => {
  for (const slot of Object.keys(written)) delete written[slot];
});

/** A conversation that has no address yet is null. */
type Address = string | null;

const slotOf = (workspace: string, address: Address): string => `${workspace} ${address ?? ''}`;

export const textFor = (workspace: string, address: Address): string =>
  written[slotOf(workspace, address)]?.text ?? '';

export function write(workspace: string, address: Address, text: string): void {
  const slot = slotOf(workspace, address);
  written[slot] = { text, sent: written[slot]?.sent };
}

/** A message was not accepted, or nobody knows: its text comes back, before what was typed since. */
export function giveBack(workspace: string, address: Address, message: Unaccepted): void {
  // A page that is left because of signing out gives nothing to whoever signs in next.
  if (session.standing !== 'signed-in') return;
  const typed = textFor(workspace, address);
  const text = [message.text, typed].filter(Boolean).join('\n\n');
  written[slotOf(workspace, address)] = { text, sent: message };
}

/** Take what is sent out; the message that it was before, if it is sent once more without a change. */
export function takeOut(workspace: string, address: Address, text: string): Unaccepted | undefined {
  const slot = slotOf(workspace, address);
  const sent = written[slot]?.sent;
  delete written[slot];
  return sent?.text === text ? sent : undefined;
}

/** A new conversation has got its address: what was typed meanwhile belongs to it. */
export function follow(workspace: string, address: string): void {
  const text = textFor(workspace, null);
  delete written[slotOf(workspace, null)];
  if (text) write(workspace, address, text);
}

/** A conversation was read: a message that has arrived after all is not to be sent again. */
export function forgetArrived(workspace: string, conversation: string, turns: readonly Turn[]): void {
  for (const address of [conversation, null]) {
    const slot = slotOf(workspace, address);
    const { text, sent } = written[slot] ?? {};
    if (!sent || sent.conversation !== conversation || text !== sent.text) continue;
    if (turns.some((turn) => turn.number > sent.after && turn.question === sent.text)) delete written[slot];
  }
}
