/** The rules of Save, conflict, Clear and Undo, with a service that another person writes to as well. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError, Unreachable } from '../api/errors';
import { WorkspaceKey } from '../crypto/workspace-keys';
import type { OpenDocument } from '../keys/document-opening';
import { forgetWrites, memoryStateForSend } from '../state/saving.svelte';
import { Clearing } from './clearing.svelte';
import { draftsInMemory } from './draft-store';
import { DraftKeeper } from './drafts';
import { MemoryFrame, type MemoryStore } from './frame.svelte';
import { Settling } from './settling.svelte';
import type { Intent, Outcome } from './writing';

const WORKSPACE = 'acme';
const key = WorkspaceKey.generate(WORKSPACE);
const owner = { user: 'alice', workspace: WORKSPACE, keys: new Map([[1, key]]) };

/** Versions that anybody writes; each write that the frame sends is counted. */
class FakeStore implements MemoryStore {
  texts: (string | null)[] = [];
  sent: Intent[] = [];
  /** What the next write meets instead of an acknowledgement. */
  next: Outcome | 'held' | null = null;
  unreadable = false;
  forgets = false;
  release: () => void = () => {};

  saved(...texts: string[]): this {
    this.texts.push(...texts);
    return this;
  }

  async read() {
    if (this.unreadable) throw new Unreachable();
    return { document: this.#document(), lost: false };
  }

  async textOf(version: number) {
    return this.texts[version - 1] ?? '';
  }

  async newest() {
    const version = this.texts.length;
    if (!version) return null;
    const at = '2026-11-30T09:00:00Z';
    return { version, kind: 'save' as const, author: 'bob', at, clearGeneration: 0 };
  }

  async write(intent: Intent): Promise<Outcome> {
    this.sent.push(intent);
    const meets = this.next;
    this.next = null;
    if (meets === 'held') await new Promise<void>((resolve) => (this.release = resolve));
    else if (meets) return meets;
    if (intent.head.version !== this.texts.length) return { as: 'conflict' };
    this.texts.push(intent.kind === 'delete' ? null : 'text' in intent ? intent.text : '');
    return { as: 'saved', document: this.#document(), found: false, forgotten: this.forgets };
  }

  #document(): OpenDocument {
    const version = this.texts.length;
    const text = this.texts.at(-1);
    return {
      version,
      live: typeof text === 'string',
      clearGeneration: 0,
      sha256: new Uint8Array(32),
      text: text ?? '',
      newest: null,
    };
  }
}

let store: FakeStore;
let drafts: ReturnType<typeof draftsInMemory>;
let keeper: DraftKeeper;
let frame: MemoryFrame;

async function open(): Promise<MemoryFrame> {
  keeper = new DraftKeeper(owner, drafts);
  frame = new MemoryFrame(WORKSPACE, store, keeper);
  await frame.load();
  return frame;
}

const OFFLINE: Outcome = { as: 'failed', error: new Unreachable(), lost: true };
const FULL: Outcome = {
  as: 'failed',
  error: new ApiError(507, 'storage_full', '', {}, undefined),
  lost: false,
};

beforeEach(async () => {
  forgetWrites();
  store = new FakeStore().saved('one');
  drafts = draftsInMemory();
  await open();
});

describe('a Save', () => {
  it('is one request with the version that was shown', async () => {
    frame.edit('two');
    expect(await frame.save()).toBe(true);
    expect(store.sent).toEqual([
      { kind: 'save', text: 'two', head: expect.objectContaining({ version: 1 }) },
    ]);
    expect(frame.shown.version).toBe(2);
    expect(frame.dirty).toBe(false);
  });

  it('keeps what was typed while it was under way as a draft upon it', async () => {
    store.next = 'held';
    frame.edit('two');
    const saving = frame.save();
    await expect.poll(() => store.sent.length).toBe(1);
    frame.edit('two and more');
    store.release();
    await saving;
    expect([frame.shown.text, frame.draft, frame.dirty]).toEqual(['two', 'two and more', true]);
  });

  it.each([
    ['nobody answers', OFFLINE],
    ['the disk is full', FULL],
    ['nobody knows', { as: 'unknown', error: new Unreachable() } satisfies Outcome],
  ])('leaves the draft where %s, and sends nothing more by itself', async (_, outcome) => {
    store.next = outcome;
    frame.edit('two');
    expect(await frame.save()).toBe(false);
    expect([frame.draft, frame.dirty, frame.shown.version]).toEqual(['two', true, 1]);
    expect(frame.trouble?.as).toBe(outcome.as);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(store.sent.length).toBe(1);
  });

  it('that failed can be tried again by the person', async () => {
    store.next = OFFLINE;
    frame.edit('two');
    await frame.save();
    expect(await frame.save()).toBe(true);
    expect(store.texts).toEqual(['one', 'two']);
    expect(frame.trouble).toBeNull();
  });

  it('is not sent a second time while it is under way', async () => {
    store.next = 'held';
    frame.edit('two');
    const saving = frame.save();
    await expect.poll(() => store.sent.length).toBe(1);
    expect(await frame.save()).toBe(false);
    store.release();
    await saving;
    expect(store.sent.length).toBe(1);
  });
});

describe('a Save of what looks like a secret', () => {
  beforeEach(async () => {
    frame = new MemoryFrame(WORKSPACE, store, keeper, async () => ({ rule: 'github', line: 1 }));
    await frame.load();
    frame.edit('a token');
  });

  it.each([
    [true, ['one', 'a token']],
    [false, ['one']],
  ])('is sent only when the person says so: %s', async (decision, texts) => {
    const saving = frame.save();
    await expect.poll(() => frame.secret?.rule).toBe('github');
    expect(store.sent).toEqual([]);
    frame.secret?.decide(decision);
    expect(await saving).toBe(decision);
    expect([store.texts, frame.draft, frame.running]).toEqual([texts, 'a token', null]);
  });
});

describe('a Save of which nobody knows what became', () => {
  beforeEach(async () => {
    store.next = { as: 'unknown', error: new Unreachable() };
    frame.edit('mine');
    await frame.save();
  });

  it.each([
    ['it was not written', ['one'], 'failed'],
    ['another text is there', ['one', 'of bob'], 'conflict'],
    ['the very text is there', ['one', 'mine'], undefined],
  ])('is looked for, and told: %s', async (_, texts, as) => {
    store.texts = texts;
    await frame.check();
    expect([frame.trouble?.as, frame.draft, frame.dirty]).toEqual([as, 'mine', as !== undefined]);
    expect(store.sent.length).toBe(1);
  });

  it('stays uncertain while nobody can be asked', async () => {
    store.unreadable = true;
    await frame.check();
    expect([frame.trouble?.as, frame.draft]).toEqual(['unknown', 'mine']);
  });
});

describe('a conflict', () => {
  beforeEach(async () => {
    store.saved('of bob');
    frame.edit('mine');
    await frame.save();
  });

  it('leaves the draft and shows both texts', async () => {
    expect(frame.draft).toBe('mine');
    expect(frame.trouble).toMatchObject({ as: 'conflict', newer: { text: 'of bob', version: 2 } });
    expect(await memoryStateForSend(WORKSPACE)).toBe('conflict');
    expect(store.texts).toEqual(['one', 'of bob']);
  });

  it('is not sent again by another Save', async () => {
    expect(await frame.save()).toBe(false);
    expect(store.sent.length).toBe(1);
  });

  it('ends with the newer text, and the own draft can be brought back once', async () => {
    await frame.useNewer();
    expect([frame.draft, frame.dirty, frame.setAside]).toEqual(['of bob', false, 'mine']);
    expect(await memoryStateForSend(WORKSPACE)).toBeUndefined();
    frame.bringBack();
    expect([frame.draft, frame.dirty, frame.setAside]).toEqual(['mine', true, null]);
  });

  it('ends with the own text upon the newer one', async () => {
    expect(await frame.keepMine()).toBe(true);
    expect(store.texts).toEqual(['one', 'of bob', 'mine']);
    expect(await memoryStateForSend(WORKSPACE)).toBe('saved;version=3');
  });

  it('ends with a draft of both texts upon the newer one, which nothing saves by itself', async () => {
    expect(await frame.putTogether()).toBe(true);
    expect([frame.draft, frame.shown.version, frame.trouble]).toEqual(['of bob\nmine', 2, null]);
    expect([frame.dirty, frame.together]).toEqual([true, { overlaps: 1, alone: false }]);
    expect(store.texts).toEqual(['one', 'of bob']);
    expect(await frame.save()).toBe(true);
    expect([store.texts.at(-1), frame.together]).toEqual(['of bob\nmine', null]);
  });

  it('with an empty newer text leaves only the own lines, which nothing saves by itself', async () => {
    await frame.useNewer();
    frame.edit('of bob\nmine\n');
    store.saved('');
    await frame.save();
    expect(await frame.putTogether()).toBe(true);
    expect([frame.draft, frame.together]).toEqual(['mine\n', { overlaps: 0, alone: true }]);
    expect(store.texts.at(-1)).toBe('');
  });

  it('with an empty newer text and no own lines shows it, and the draft can be brought back', async () => {
    store.saved('one\ntwo');
    await frame.readConflict();
    await frame.useNewer();
    frame.edit('one');
    store.saved('');
    await frame.save();
    expect(await frame.putTogether()).toBe(true);
    expect([frame.draft, frame.dirty, frame.together, frame.setAside]).toEqual(['', false, null, 'one']);
  });

  it('brings nothing back that was cleared where the base of the draft cannot be read', async () => {
    await frame.discard();
    await frame.clear();
    const conflict = { as: 'conflict', newer: frame.shown, base: 2 } as const;
    frame.edit('of bob\nmine');
    frame.trouble = conflict;
    store.textOf = () => Promise.reject(new Unreachable());
    expect(await frame.putTogether()).toBe(false);
    expect(frame.trouble).toEqual({ ...conflict, inseparable: true });
    expect(frame.draft).toBe('of bob\nmine');
  });

  it('comes back when somebody saved once more', async () => {
    store.saved('of bob again');
    expect(await frame.keepMine()).toBe(false);
    expect(frame.trouble).toMatchObject({ as: 'conflict', newer: { text: 'of bob again' } });
    expect(frame.draft).toBe('mine');
  });

  it('ends with the draft', async () => {
    await frame.discard();
    expect([frame.draft, frame.trouble]).toEqual(['of bob', null]);
  });
});

describe('a conflict whose newer text cannot be read', () => {
  it('keeps the draft, and the text can be asked for again', async () => {
    store.saved('of bob');
    store.unreadable = true;
    frame.edit('mine');
    await frame.save();
    expect(frame.trouble).toEqual({ as: 'conflict', newer: null });
    await frame.useNewer();
    expect(frame.draft).toBe('mine');
    store.unreadable = false;
    await frame.readConflict();
    expect(frame.trouble).toMatchObject({ newer: { text: 'of bob' } });
  });
});

describe('a draft that was left behind', () => {
  it('is sealed, and offered to the next page', async () => {
    frame.edit('the code word is birch');
    await frame.leave();
    const bytes = [...drafts.records.values()].map((each) => new TextDecoder().decode(each.sealed));
    expect(bytes).toHaveLength(1);
    expect(bytes[0]).not.toContain('birch');
    await open();
    expect(frame.offered).toMatchObject({ text: 'the code word is birch', base: 1 });
    frame.takeOffered();
    expect([frame.draft, frame.trouble]).toEqual(['the code word is birch', null]);
  });

  it('is not offered while its page is there', async () => {
    frame.edit('mine');
    await keeper.flush();
    await open();
    expect(frame.offered).toBeNull();
  });

  it('survives a Save that failed', async () => {
    store.next = OFFLINE;
    frame.edit('mine');
    await frame.save();
    await frame.leave();
    await open();
    expect(frame.offered?.text).toBe('mine');
  });

  it.each([
    ['saved', () => frame.save()],
    ['discarded', () => frame.discard()],
  ])('is gone after it was %s', async (_, settle) => {
    frame.edit('mine');
    await settle();
    await frame.leave();
    expect(drafts.records.size).toBe(0);
  });

  it('of an older version has to be compared before it is saved', async () => {
    frame.edit('mine');
    await frame.leave();
    store.saved('');
    await open();
    frame.takeOffered();
    expect(frame.trouble).toMatchObject({ as: 'conflict', newer: { version: 2 } });
    expect(await frame.save()).toBe(false);
    expect(store.texts).toEqual(['one', '']);
  });

  it('keeps the version that it was begun upon until its conflict is decided, however often a page is left', async () => {
    frame.edit('from before');
    await frame.leave();
    store.saved('');
    for (const more of ['', '!', '!!']) {
      await open();
      expect(frame.offered).toMatchObject({ base: 1 });
      frame.takeOffered();
      frame.edit('from before' + more);
      expect(await frame.save()).toBe(false);
      await frame.showNewer();
      await frame.leave();
    }
    store.saved('of bob');
    await open();
    frame.takeOffered();
    await frame.showNewer();
    store.saved('of bob again');
    await frame.showNewer();
    await frame.leave();
    await open();
    expect(frame.offered).toMatchObject({ text: 'from before!!', base: 1 });
    expect(store.texts).toEqual(['one', '', 'of bob', 'of bob again']);
  });

  it('follows on the newer version once its conflict was decided', async () => {
    frame.edit('mine');
    await frame.leave();
    store.saved('of bob');
    await open();
    frame.takeOffered();
    await frame.putTogether();
    await frame.leave();
    await open();
    expect(frame.offered).toMatchObject({ base: 2 });
  });

  it('does not open with the key of another workspace', async () => {
    frame.edit('mine');
    await frame.leave();
    const others = new Map([[1, WorkspaceKey.generate(WORKSPACE)]]);
    expect(await new DraftKeeper({ ...owner, keys: others }, drafts).left()).toEqual([]);
  });

  it('says when the browser cannot keep it', async () => {
    drafts.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    frame.edit('mine');
    await keeper.flush();
    expect(frame.unkept).toBe(true);
  });
});

describe('a Clear', () => {
  it('empties the document, and can be undone on the page', async () => {
    const clearing = new Clearing(frame);
    clearing.open();
    await clearing.confirm();
    expect([clearing.step, frame.draft, store.texts.at(-1)]).toEqual(['closed', '', '']);
    expect(frame.done).toEqual({ what: 'clear', version: 2, before: 1, of: undefined });
    await frame.restore(frame.done?.before ?? 0);
    expect(store.texts).toEqual(['one', '', 'one']);
    expect(store.sent.at(-1)?.kind).toBe('undo');
  });

  it('that another write beat clears nothing, shows the newer text, and clears it only when asked again', async () => {
    store.saved('of bob');
    const clearing = new Clearing(frame);
    await clearing.confirm();
    expect([clearing.step, frame.draft, store.texts]).toEqual(['lost', 'of bob', ['one', 'of bob']]);
    expect(await memoryStateForSend(WORKSPACE)).toBe('conflict');
    expect(store.sent.length).toBe(1);
    await clearing.confirm();
    expect([clearing.step, store.texts.at(-1)]).toEqual(['closed', '']);
  });

  it('that was given up after it lost is settled', async () => {
    store.saved('of bob');
    const clearing = new Clearing(frame);
    await clearing.confirm();
    clearing.cancel();
    expect([clearing.step, frame.undone, store.texts.length]).toEqual(['closed', null, 2]);
    expect(await memoryStateForSend(WORKSPACE)).toBeUndefined();
  });

  it('that failed says so and has cleared nothing', async () => {
    store.next = OFFLINE;
    const clearing = new Clearing(frame);
    await clearing.confirm();
    expect([clearing.step, frame.draft]).toEqual(['failed', 'one']);
  });

  describe('of which nobody knows what became', () => {
    let clearing: Clearing;
    let became: Outcome;
    const lost = (): Outcome => ({ as: 'unknown', error: new Unreachable(), look: async () => became });
    const cleared = (): Outcome => {
      store.texts.push('');
      return { as: 'saved', document: { ...frame.shown, version: 2, text: '' }, found: true };
    };

    beforeEach(async () => {
      clearing = new Clearing(frame);
      became = lost();
      store.next = lost();
      clearing.open();
      await clearing.confirm();
    });

    it('is looked for until it is known, and told as the own one', async () => {
      await clearing.lookAgain();
      expect([clearing.step, frame.undone?.as]).toEqual(['unknown', 'unknown']);
      became = cleared();
      await clearing.lookAgain();
      expect([clearing.step, frame.draft, frame.undone]).toEqual(['closed', '', null]);
      expect(frame.done).toMatchObject({ what: 'clear', version: 2, before: 1 });
      expect(await memoryStateForSend(WORKSPACE)).toBe('saved;version=2');
      expect(store.sent.length).toBe(1);
    });

    it('is not forgotten with the dialog, and never told as of another window', async () => {
      clearing.cancel();
      became = cleared();
      await frame.look();
      expect([frame.newer, frame.undone?.as]).toEqual([null, 'unknown']);
      clearing.open();
      expect(clearing.step).toBe('unknown');
      clearing.cancel();
      await clearing.lookAgain();
      expect([clearing.step, frame.done?.what, frame.draft]).toEqual(['closed', 'clear', '']);
    });

    it('leaves a draft that was begun meanwhile, which is then in conflict', async () => {
      clearing.cancel();
      frame.edit('mine');
      became = cleared();
      await clearing.lookAgain();
      expect([frame.draft, frame.trouble?.as, frame.done?.what]).toEqual(['mine', 'conflict', 'clear']);
      expect(await frame.save()).toBe(false);
    });

    it.each([
      ['did not come', { as: 'failed', error: new Unreachable(), lost: true } as Outcome, 'failed'],
      ['lost', { as: 'conflict' } as Outcome, 'lost'],
    ])('has cleared nothing where it %s', async (_, outcome, step) => {
      if (step === 'lost') store.saved('of bob');
      became = outcome;
      await clearing.lookAgain();
      expect([clearing.step, frame.done]).toEqual([step, null]);
    });
  });

  it('is not undone by a draft that another page still has', async () => {
    const other = frame;
    other.edit('from before');
    await open();
    await frame.clear();
    expect(await other.save()).toBe(false);
    expect(other.trouble).toMatchObject({ as: 'conflict', newer: { text: '', version: 2 } });
    expect(store.texts).toEqual(['one', '']);
  });
});

describe('before the draft is replaced', () => {
  const begin = (): { settling: Settling; went: () => boolean; asked: Promise<void> } => {
    let gone = false;
    const settling = new Settling(frame);
    const asked = settling.ask('clear', () => (gone = true));
    return { settling, went: () => gone, asked };
  };

  it('nothing is asked where there is none', () => {
    expect(begin().went()).toBe(true);
  });

  it.each([
    ['saved', (settling: Settling) => settling.save(), true, ['one', 'mine']],
    ['discarded', (settling: Settling) => settling.discard(), true, ['one']],
    ['kept, and the rest given up', async (settling: Settling) => settling.cancel(), false, ['one']],
  ] as const)('it is %s', async (_, decide, goes, texts) => {
    frame.edit('mine');
    const { settling, went } = begin();
    expect([settling.purpose, went()]).toEqual(['clear', false]);
    await decide(settling);
    expect([settling.purpose, went(), store.texts]).toEqual([null, goes, texts]);
  });

  it('a second press on Discard does nothing more', async () => {
    frame.edit('mine');
    let times = 0;
    const settling = new Settling(frame);
    await settling.ask('leave', () => (times += 1));
    await Promise.all([settling.discard(), settling.discard()]);
    expect(times).toBe(1);
  });

  it('what was given up while the Save was under way is not done after it', async () => {
    frame.edit('mine');
    const { settling, went } = begin();
    store.next = 'held';
    const saving = settling.save();
    await expect.poll(() => store.sent.length).toBe(1);
    settling.cancel();
    store.release();
    await saving;
    expect([went(), store.texts]).toEqual([false, ['one', 'mine']]);
  });

  it('a Save that fails keeps the draft, and the rest is given up', async () => {
    frame.edit('mine');
    const { settling, went } = begin();
    store.next = OFFLINE;
    await settling.save();
    expect([settling.purpose, went(), frame.draft]).toEqual([null, false, 'mine']);
  });

  it('a Save that is under way is waited for', async () => {
    store.next = 'held';
    frame.edit('mine');
    const saving = frame.save();
    await expect.poll(() => store.sent.length).toBe(1);
    const { settling, went, asked } = begin();
    expect([settling.waiting, went()]).toEqual([true, false]);
    store.release();
    await saving;
    await asked;
    expect([settling.waiting, went(), store.texts]).toEqual([false, true, ['one', 'mine']]);
  });
});

describe('an Undo that is read slowly', () => {
  it('is not done over a draft that was begun meanwhile, and says that', async () => {
    const undoing = frame.restore(1);
    frame.edit('mine');
    const error: unknown = await undoing.catch((raised: unknown) => raised);
    expect(error).toMatchObject({ code: 'draft_begun' });
    expect([frame.draft, store.sent]).toEqual(['mine', []]);
  });
});

describe('what this browser cannot remember', () => {
  it('is said, and the write stays one', async () => {
    frame.edit('two');
    store.forgets = true;
    expect(await frame.save()).toBe(true);
    expect([frame.shown.version, frame.trouble, frame.forgetful]).toEqual([2, null, true]);
  });
});

describe('what somebody else saves', () => {
  it('is told, and replaces nothing', async () => {
    frame.edit('mine');
    store.saved('of bob');
    await frame.look();
    expect([frame.newer?.version, frame.draft]).toEqual([2, 'mine']);
    await frame.showNewer();
    expect([frame.draft, frame.trouble?.as]).toEqual(['mine', 'conflict']);
    // Nobody has tried to save: no message is held back for it.
    expect(await memoryStateForSend(WORKSPACE)).toBeUndefined();
  });

  it('is shown where there is no draft', async () => {
    store.saved('of bob');
    await frame.look();
    await frame.showNewer();
    expect([frame.draft, frame.newer]).toEqual(['of bob', null]);
  });
});

describe('a suggestion', () => {
  it('is applied as a Save, which can be undone', async () => {
    expect(await frame.apply('p1', 'one\n- two\n')).toBe(true);
    expect(store.sent[0]).toMatchObject({ kind: 'apply', proposal: 'p1', text: 'one\n- two\n' });
    expect(frame.done).toMatchObject({ what: 'apply', before: 1 });
  });

  it('is not applied over a newer text', async () => {
    store.saved('of bob');
    expect(await frame.apply('p1', 'one\n- two\n')).toBe(false);
    expect([frame.draft, frame.undone?.as]).toEqual(['of bob', 'conflict']);
  });
});
