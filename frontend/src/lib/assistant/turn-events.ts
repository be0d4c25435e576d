/** What happens in a turn, as docs/reference/rest.md has it under "Send a message to the Assistant". */
import type { ProposalReason, RecallStatus, UsageOut } from '../api/schema';

export type TurnEvent =
  | { is: 'turn_retold' }
  | { is: 'turn_began'; turn: number; admission_id: string; model: string; demonstration: boolean }
  | {
      is: 'memory_given';
      call: number;
      status: RecallStatus;
      revision: number | null;
      receipt_id: string | null;
    }
  | { is: 'text_added'; text: string }
  | { is: 'tool_called'; name: string }
  | { is: 'tool_answered'; name: string; refused: boolean }
  | { is: 'remembered'; revision: number }
  | { is: 'change_proposed'; proposal_id: string; reason: ProposalReason }
  | {
      is: 'turn_ended';
      state: 'done' | 'failed' | 'stopped';
      error: string | null;
      problem: string | null;
      usage: UsageOut;
    };

const KNOWN: ReadonlySet<string> = new Set<TurnEvent['is']>([
  'turn_retold',
  'turn_began',
  'memory_given',
  'text_added',
  'tool_called',
  'tool_answered',
  'remembered',
  'change_proposed',
  'turn_ended',
]);

/** An event that came; undefined for a kind that this page does not know. Raises SyntaxError for what is no JSON. */
export function turnEvent(name: string, data: string): TurnEvent | undefined {
  const facts: unknown = JSON.parse(data);
  if (!KNOWN.has(name) || typeof facts !== 'object' || facts === null) return undefined;
  return { ...facts, is: name } as TurnEvent;
}
