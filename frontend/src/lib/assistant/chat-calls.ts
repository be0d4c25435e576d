/** What a chat asks of the service and of this page, so that its rules can be tried without either. */
import { hearTurn, listTurns, sendMessage, stopTurn } from '../api/assistant';
import {
  beginConversation,
  deleteConversation,
  getConversation,
  receiptsBetween,
} from '../api/conversations';
import { listProposals } from '../api/proposals';
import type { ProposalOut, ReceiptOut, TurnOut } from '../api/schema';
import type { Listening } from './listening';
import { isWriting, memoryStateForSend } from '../state/saving.svelte';

export interface ChatCalls {
  begin(): Promise<{ id: string }>;
  turns(conversation: string): Promise<number>;
  remove(conversation: string): Promise<void>;
  list(conversation: string, query: { after: number; limit: number }): Promise<TurnOut[]>;
  receipts(conversation: string, turns: { after: number; to: number }): Promise<ReceiptOut[]>;
  proposals(conversation: string): Promise<ProposalOut[]>;
  send: typeof sendMessage;
  hear: typeof hearTurn;
  stop: typeof stopTurn;
  /** Whether a Save of this page is under way, which a message waits for. */
  isSaving(): boolean;
  memoryState(): Promise<string | undefined>;
  /** The key session has ended: whether there is another one now. */
  renew(): Promise<boolean>;
  /** Waits before another connection is tried; the usual waiting unless it is named. */
  pause?: Listening['pause'];
}

const PROPOSALS = 200;

export const chatCalls = (workspace: string, renew: () => Promise<boolean>): ChatCalls => ({
  begin: () => beginConversation(workspace),
  turns: async (conversation) => (await getConversation(conversation)).turns,
  remove: deleteConversation,
  list: async (conversation, query) => (await listTurns(conversation, query)).turns,
  receipts: receiptsBetween,
  proposals: async (conversation) =>
    (await listProposals(workspace, { conversation_id: conversation, limit: PROPOSALS })).proposals,
  send: sendMessage,
  hear: hearTurn,
  stop: stopTurn,
  isSaving: () => isWriting(workspace),
  memoryState: () => memoryStateForSend(workspace),
  renew,
});
