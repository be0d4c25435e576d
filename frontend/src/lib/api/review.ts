/** What waits for a person, the decisions about it, and items to be confirmed. */
import { call, path } from './client';
import { ifMatch } from './items';
import type { DecidedManyOut, DecisionIn, DueOut, ItemOut, ReviewEntryOut, ReviewPageOut } from './schema';

export const listReview = (
  workspace: string,
  page: { limit: number; cursor?: string },
  signal?: AbortSignal,
): Promise<ReviewPageOut> =>
  call('GET', path`/workspaces/${workspace}/memory/review`, { query: page, signal });

export const getReviewEntry = (workspace: string, item: string): Promise<ReviewEntryOut> =>
  call('GET', path`/workspaces/${workspace}/memory/items/${item}/review`);

export const listDue = (workspace: string, limit: number): Promise<DueOut> =>
  call('GET', path`/workspaces/${workspace}/memory/to-confirm`, { query: { limit } });

/** `replaced` is the version of the item that a proposal would change, as it was shown. */
export const approveItem = (
  workspace: string,
  item: string,
  shown: number,
  replaced?: number,
): Promise<ItemOut> =>
  call('POST', path`/workspaces/${workspace}/memory/items/${item}/approve`, {
    body: replaced === undefined ? {} : { replaced_version: replaced },
    headers: ifMatch(shown),
  });

export const rejectItem = (
  workspace: string,
  item: string,
  shown: number,
  reason: string,
): Promise<ItemOut> =>
  call('POST', path`/workspaces/${workspace}/memory/items/${item}/reject`, {
    body: { reason },
    headers: ifMatch(shown),
  });

export const approveItems = (workspace: string, items: DecisionIn[]): Promise<DecidedManyOut> =>
  call('POST', path`/workspaces/${workspace}/memory/review/approve`, { body: { items } });

export const rejectItems = (
  workspace: string,
  items: DecisionIn[],
  reason: string,
): Promise<DecidedManyOut> =>
  call('POST', path`/workspaces/${workspace}/memory/review/reject`, { body: { items, reason } });

/** It still holds; ask again at `reviewBy` (a date), or never. */
export const confirmItem = (
  workspace: string,
  item: string,
  shown: number,
  reviewBy: string | null,
): Promise<ItemOut> =>
  call('POST', path`/workspaces/${workspace}/memory/items/${item}/confirm`, {
    body: { review_by: reviewBy },
    headers: ifMatch(shown),
  });
