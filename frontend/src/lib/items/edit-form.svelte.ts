/**
 * The form for a new item or a change: what is typed, what the service refuses and at which field, and the newer text
 * where somebody else changed the item meanwhile. Nothing that was typed is lost by any answer.
 */
import { t } from '../../i18n/items';
import { isCode } from '../api/errors';
import { sendOrFindOut } from '../api/finding-out';
import { editItem, getItem, listItems, saveItem } from '../api/items';
import { confirmItem } from '../api/review';
import type { ChangeIn, ItemOut, SavedOut } from '../api/schema';
import { workspace } from '../state/workspace.svelte';
import type { Open } from './dialogs';
import { type Draft, draftOf, emptyDraft, forgetDraft, keepDraft, keptDraft, newKey } from './drafts.svelte';
import { type Field, refusal } from './refusals';
import { characters } from './shown-text';
import { areSimilar } from './similar';

const SIMILAR_LOOKED_AT = 8;
const SIMILAR_MAX = 3;

export class EditForm {
  /** The item that is changed, in the version that was shown; none while a new one is written. */
  item = $state.raw<ItemOut | undefined>();
  draft = $state<Draft>(emptyDraft('personal'));
  refused = $state<Partial<Record<Field, string>>>({});
  /** An item with the very same text. */
  same = $state.raw<ItemOut | undefined>();
  /** The item as somebody else left it. */
  newer = $state.raw<ItemOut | undefined>();
  /** Whether the item was deleted while it was edited. */
  isGone = $state(false);
  similar = $state.raw<readonly ItemOut[]>([]);
  busy = $state(false);
  /** Whether what stands here was typed before and not saved. */
  isKept = $state(false);

  #asked = 0;

  constructor(open: Extract<Open, { kind: 'add' | 'edit' }>) {
    this.item = open.kind === 'edit' ? open.item : undefined;
    const kept = keptDraft(this.item);
    this.isKept = kept !== undefined;
    this.draft = kept ?? (open.kind === 'edit' ? draftOf(open.item) : emptyDraft(open.scope));
  }

  get length(): number {
    return characters(this.draft.content);
  }

  get isTooLong(): boolean {
    return this.length > workspace.status.limits.content_characters;
  }

  get isChanged(): boolean {
    return this.item ? Object.keys(this.#changes(this.item)).length > 0 || this.#endsReview : this.length > 0;
  }

  startOver(): void {
    this.isKept = false;
    this.refused = {};
    this.draft = this.item ? draftOf(this.item) : emptyDraft(this.draft.scope);
    forgetDraft(this.item);
  }

  /** The dialog closes: by Cancel what was typed is dropped, else it waits here. */
  leave(keep: boolean): void {
    if (keep && this.isChanged) keepDraft(this.item, $state.snapshot(this.draft));
    else forgetDraft(this.item);
  }

  /** Look for items that say nearly the same as what is typed. */
  async look(): Promise<void> {
    const number = ++this.#asked;
    const { content, scope } = this.draft;
    if (this.item || content.trim().length < 8) {
      this.similar = [];
      return;
    }
    try {
      const page = await listItems(workspace.id, { query: content, scope, limit: SIMILAR_LOOKED_AT });
      if (number !== this.#asked) return;
      this.similar = page.items.filter((item) => areSimilar(item.content, content)).slice(0, SIMILAR_MAX);
    } catch {
      // A hint that is missing keeps nobody from saving.
    }
  }

  /** Save a new item, or with `replaces` as the next version of that one. None: it was refused, and says why. */
  async add(replaces?: ItemOut): Promise<SavedOut | undefined> {
    return this.#try(async () => {
      const { content, kind, tags, reviewBy, scope, key } = $state.snapshot(this.draft);
      const body = {
        content,
        kind,
        tags,
        scope,
        review_by: reviewBy || null,
        replaces: replaces?.id ?? null,
      };
      const saved = await saveItem(workspace.id, body, key);
      this.draft.key = newKey();
      if (saved.outcome === 'already_saved') {
        this.same = saved.item;
        this.refused = { content: t('refusedSame') };
        return undefined;
      }
      forgetDraft(this.item);
      return saved;
    });
  }

  /** Save the change against the version that was shown. */
  async change(): Promise<ItemOut | undefined> {
    const item = this.item;
    if (!item) return undefined;
    return this.#try(async () => {
      let changed = item;
      const changes = this.#changes(item);
      if (Object.keys(changes).length) {
        const send = (): Promise<ItemOut> => editItem(workspace.id, item.id, item.version, changes);
        changed = await this.#sent(item, send, (now) => !Object.keys(this.#changes(now)).length);
      }
      if (this.#endsReview && changed.status === 'active') {
        const { version } = changed;
        const send = (): Promise<ItemOut> => confirmItem(workspace.id, item.id, version, null);
        changed = await this.#sent(changed, send, (now) => now.review_by === null);
      }
      forgetDraft(item);
      return changed;
    }, item);
  }

  /** From here on the change is one of the newer text: either is kept by a decision, never by chance. */
  settle(take: 'mine' | 'newer'): void {
    if (!this.newer) return;
    this.item = this.newer;
    if (take === 'newer') this.draft = draftOf(this.newer);
    this.newer = undefined;
    this.refused = {};
  }

  /** The item is gone: what was typed becomes a new one. */
  becomeNew(): void {
    forgetDraft(this.item);
    this.item = undefined;
    this.isGone = false;
    this.refused = {};
  }

  /** Send a change of what was shown, or find out that it is made; what is there instead becomes the newer text. */
  #sent(shown: ItemOut, send: () => Promise<ItemOut>, isWanted: (now: ItemOut) => boolean): Promise<ItemOut> {
    const look = (): Promise<ItemOut> => getItem(workspace.id, shown.id);
    return sendOrFindOut(send, look, (now) => {
      if (now.version === shown.version) return false;
      if (isWanted(now)) return true;
      this.newer = now;
      return undefined;
    });
  }

  get #endsReview(): boolean {
    return this.item?.status === 'active' && this.item.review_by !== null && !this.draft.reviewBy;
  }

  #changes(item: ItemOut): ChangeIn {
    const { content, kind, tags, reviewBy } = this.draft;
    const changes: ChangeIn = {};
    // The service keeps the composed form.
    if (content.normalize() !== item.content.normalize()) changes.content = content;
    if (kind !== item.kind) changes.kind = kind;
    if (JSON.stringify(tags) !== JSON.stringify(item.tags)) changes.tags = [...tags];
    if (reviewBy && reviewBy !== item.review_by) changes.review_by = reviewBy;
    return changes;
  }

  async #try<Answer>(ask: () => Promise<Answer>, item?: ItemOut): Promise<Answer | undefined> {
    this.busy = true;
    this.refused = {};
    this.same = undefined;
    try {
      return await ask();
    } catch (error) {
      const { field, text } = refusal(error);
      this.refused = { [field]: text };
      if (item && isCode(error, 'version_mismatch') && !this.newer) await this.#lookAtNewer(item.id);
      if (item && isCode(error, 'not_found')) this.isGone = true;
      const same = isCode(error, 'already_saved') ? error.facts['item'] : undefined;
      if (typeof same === 'string') this.same = await getItem(workspace.id, same).catch(() => undefined);
      return undefined;
    } finally {
      this.busy = false;
    }
  }

  async #lookAtNewer(id: string): Promise<void> {
    try {
      this.newer = await getItem(workspace.id, id);
    } catch (error) {
      this.isGone = isCode(error, 'not_found');
    }
  }
}
