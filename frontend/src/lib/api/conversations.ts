/** Conversations of one's own. Their titles are told within an open key session alone. */
import { call, path } from './client';
import type {
  ConversationDetailOut,
  ConversationOut,
  ConversationPageOut,
  ReceiptOut,
  ReceiptPageOut,
} from './schema';

const RECEIPTS = 200;

/** Newest first. */
export const listConversations = (
  workspace: string,
  query: { before?: string | null; limit?: number } = {},
): Promise<ConversationPageOut> => call('GET', path`/workspaces/${workspace}/conversations`, { query });

export const beginConversation = (workspace: string): Promise<ConversationOut> =>
  call('POST', path`/workspaces/${workspace}/conversations`, { body: {} });

export const getConversation = (conversation: string): Promise<ConversationDetailOut> =>
  call('GET', path`/agents/assistant/${conversation}`);

/** `key_session_required`, `invalid_request` */
export const renameConversation = (conversation: string, title: string): Promise<ConversationDetailOut> =>
  call('PATCH', path`/agents/assistant/${conversation}`, { body: { title } });

/** With its messages and receipts; what it has written into the memory document stays. */
export const deleteConversation = (conversation: string): Promise<void> =>
  call('DELETE', path`/agents/assistant/${conversation}`);

/** The receipts of the turns after a number up to another one, in the order in which they were written. */
export async function receiptsBetween(
  conversation: string,
  turns: { after: number; to: number },
): Promise<ReceiptOut[]> {
  const found: ReceiptOut[] = [];
  let after: string | null = null;
  do {
    const page: ReceiptPageOut = await call('GET', path`/agents/assistant/${conversation}/memory-receipts`, {
      query: { after, after_turn: turns.after, limit: RECEIPTS },
    });
    found.push(...page.receipts);
    after = page.receipts.some((each) => each.turn > turns.to) ? null : page.next_after;
  } while (after !== null);
  return found.filter((each) => each.turn <= turns.to);
}
