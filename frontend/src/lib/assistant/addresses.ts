/** Where things of a turn are seen on other pages. */
import { addressOf } from '../state/pages';

/** Exactly this revision in Changes. */
export const revisionAddress = (workspace: string, revision: number): string =>
  addressOf(workspace, 'memory', `?tab=changes&revision=${revision}`);

export const conversationAddress = (workspace: string, conversation: string | null): string =>
  addressOf(workspace, 'assistant', conversation === null ? '' : `/${conversation}`);
