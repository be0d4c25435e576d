/**
 * What waits for the person: proposals and held texts, and items to be confirmed.
 *
 * A decision takes the entry away at once. When the service refuses it, the entry comes back with the reason beside it;
 * when somebody else was faster, that is told and the entry stays away.
 */
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { t } from '../../i18n/items';
import { isAnswerLost, isCode } from '../api/errors';
import { NotMade, sendOrFindOut } from '../api/finding-out';
import { getItem } from '../api/items';
import {
  approveItem,
  approveItems,
  confirmItem,
  getReviewEntry,
  listDue,
  listReview,
  rejectItem,
  rejectItems,
} from '../api/review';
import type { DecidedOut, DecisionIn, ItemOut, ReviewEntryOut, ReviewPageOut } from '../api/schema';
import { Paging } from '../state/paging.svelte';
import { workspace } from '../state/workspace.svelte';
import { refusal } from './refusals';
import { label } from './shown-text';

const PAGE = 50;
const DUE_PAGE = 200;
/** As many as the service decides about at once. */
export const BULK_MAX = 500;

/** What a decision makes of an item. */
const DECIDED = { approve: 'active', reject: 'rejected' } as const;

export type Outcome = { done: number; left: number };

export class ReviewQueue extends Paging {
  entries = $state.raw<readonly ReviewEntryOut[]>([]);
  due = $state.raw<readonly ItemOut[]>([]);
  /** Where the keyboard is, counted over the entries and then the items to be confirmed. */
  at = $state(0);
  readonly chosen = new SvelteSet<string>();
  /** Why an entry is still here, by its id. */
  readonly notes = new SvelteMap<string, string>();
  /** What became of entries that somebody else decided about, until it is dismissed. */
  told = $state<string[]>([]);

  async load(): Promise<void> {
    this.chosen.clear();
    this.notes.clear();
    await this.first(
      async (cursor, signal) => {
        const [page, due] = await Promise.all([this.#page(cursor, signal), listDue(workspace.id, DUE_PAGE)]);
        return { ...page, due: due.items };
      },
      ({ entries, due }) => {
        this.entries = entries;
        this.due = due;
      },
    );
  }

  more = (): Promise<void> =>
    this.next(this.#page, (page) => (this.entries = [...this.entries, ...page.entries]));

  async approve(entry: ReviewEntryOut): Promise<boolean> {
    const { id, version } = entry.item;
    return this.#decide(entry, 'approve', () =>
      approveItem(workspace.id, id, version, entry.replaced?.version),
    );
  }

  async reject(entry: ReviewEntryOut, reason: string): Promise<boolean> {
    const { id, version } = entry.item;
    return this.#decide(entry, 'reject', () => rejectItem(workspace.id, id, version, reason));
  }

  /** Decide about all chosen ones; those that were not decided stay, each with its reason. */
  async decideChosen(how: 'approve' | 'reject', reason = ''): Promise<Outcome> {
    const chosen = this.entries.filter((entry) => this.chosen.has(entry.item.id));
    const decisions: DecisionIn[] = chosen.map(({ item, replaced }) => ({
      id: item.id,
      version: item.version,
      replaced_version: replaced?.version,
    }));
    const deciding =
      how === 'approve'
        ? approveItems(workspace.id, decisions)
        : rejectItems(workspace.id, decisions, reason);
    const { items } = await deciding.catch(async (error: unknown) => {
      // What was decided about is not here any more.
      if (isAnswerLost(error)) await this.load();
      throw error;
    });
    const done = new Set(items.filter((each) => each.done).map((each) => each.id));
    this.entries = this.entries.filter((entry) => !done.has(entry.item.id));
    this.chosen.clear();
    await Promise.all(items.filter((each) => !each.done).map((each) => this.#keep(each)));
    this.#stayInside();
    return { done: done.size, left: items.length - done.size };
  }

  /** It still holds: asked about again at the date, or never. Raises what the service says. */
  async confirm(item: ItemOut, reviewBy: string | null): Promise<void> {
    await sendOrFindOut(
      () => confirmItem(workspace.id, item.id, item.version, reviewBy),
      () => getItem(workspace.id, item.id),
      (now) => (now.version === item.version ? false : now.review_by === reviewBy || undefined),
    );
    this.forgetDue(item.id);
  }

  forgetDue(id: string): void {
    this.due = this.due.filter((each) => each.id !== id);
    this.#stayInside();
  }

  /** Show an entry as it is now, such as after an edit. One that does not wait any more leaves. */
  async refresh(id: string): Promise<ReviewEntryOut | undefined> {
    try {
      const now = await getReviewEntry(workspace.id, id);
      this.entries = this.entries.map((entry) => (entry.item.id === id ? now : entry));
      return now;
    } catch (error) {
      if (!isCode(error, 'not_found', 'not_pending')) throw error;
      this.#leave(id);
      return undefined;
    }
  }

  async #decide(
    entry: ReviewEntryOut,
    how: 'approve' | 'reject',
    ask: () => Promise<unknown>,
  ): Promise<boolean> {
    const { id } = entry.item;
    const at = this.entries.findIndex((each) => each.item.id === id);
    this.#leave(id);
    try {
      await ask();
      return true;
    } catch (refused) {
      const error = isAnswerLost(refused) ? await this.#lookAfter(id, refused) : refused;
      if (isCode(error, 'not_pending', 'not_found')) {
        const now = error.facts['item_status'];
        // Nobody else is likely to have decided the same in the moment of a lost answer.
        if (error !== refused && (now === undefined || now === DECIDED[how])) return true;
        this.#tell(entry, now);
        return false;
      }
      if (this.entries.every((each) => each.item.id !== id))
        this.entries = this.entries.toSpliced(at, 0, entry);
      this.notes.set(id, refusal(error).text);
      if (isCode(error, 'version_mismatch')) await this.refresh(id).catch(() => undefined);
      return false;
    }
  }

  /** What the service says of an entry after an answer about it was lost; the loss itself where it says nothing. */
  async #lookAfter(id: string, lost: unknown): Promise<unknown> {
    try {
      await getReviewEntry(workspace.id, id);
      return new NotMade();
    } catch (error) {
      return isCode(error, 'not_pending', 'not_found') ? error : lost;
    }
  }

  async #keep({ id, code, detail }: DecidedOut): Promise<void> {
    const entry = this.entries.find((each) => each.item.id === id);
    if (!entry) return;
    if (code === 'not_pending' || code === 'not_found') {
      this.#leave(id);
      this.#tell(entry, undefined);
      return;
    }
    this.notes.set(id, code === null ? detail : refusal({ code, detail }).text);
    if (code === 'version_mismatch') await this.refresh(id).catch(() => undefined);
  }

  #tell(entry: ReviewEntryOut, status: unknown): void {
    const text = label(entry.item.content);
    if (status === 'active') this.told.push(t('wasApproved', { text }));
    else if (status === 'rejected') this.told.push(t('wasRejected', { text }));
    else this.told.push(t('wasDecided', { text }));
  }

  #leave(id: string): void {
    this.entries = this.entries.filter((entry) => entry.item.id !== id);
    this.chosen.delete(id);
    this.notes.delete(id);
    this.#stayInside();
  }

  #stayInside(): void {
    this.at = Math.max(0, Math.min(this.at, this.entries.length + this.due.length - 1));
  }

  readonly #page = (cursor: string | null, signal: AbortSignal): Promise<ReviewPageOut> =>
    listReview(workspace.id, { limit: PAGE, cursor: cursor ?? undefined }, signal);
}
