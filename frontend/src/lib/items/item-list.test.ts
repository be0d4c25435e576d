import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ItemOut } from '../api/schema';
import { type Filters, type Item, ItemList } from './item-list.svelte';

const filters: Filters = { scope: 'personal', status: 'active', kind: '', tag: '', query: '' };
const item = (id: string, changes: Partial<ItemOut> = {}): Item =>
  ({ id, scope: 'personal', status: 'active', kind: 'note', review_by: null, ...changes }) as Item;

type Asked = { url: URL; answer: (items: Item[], cursor?: string | null) => void; fail: () => void };
let asked: Asked[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', (url: string) => {
    return new Promise<Response>((resolve, reject) => {
      asked.push({
        url: new URL(url, 'http://service'),
        answer: (items, cursor = null) => resolve(Response.json({ items, next_cursor: cursor })),
        fail: () => reject(new TypeError('no network')),
      });
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

const ids = (list: ItemList): string[] => list.items.map((each) => each.id);

describe('the list of items', () => {
  it('shows the newest question’s answer, whichever comes last', async () => {
    const list = new ItemList();
    const older = list.show({ ...filters, query: 'te' });
    const newer = list.show({ ...filters, query: 'tea' });
    asked[1]?.answer([item('tea')]);
    await newer;
    asked[0]?.answer([item('te')]);
    await older;
    expect(ids(list)).toEqual(['tea']);
    expect(list.busy).toBe(false);
  });

  it('keeps what is shown while a page is awaited, and asks for one page at a time', async () => {
    const list = new ItemList();
    const first = list.show(filters);
    asked[0]?.answer([item('a')], 'next');
    await first;
    const more = list.more();
    await list.more();
    expect(asked.length).toBe(2);
    expect(asked[1]?.url.searchParams.get('cursor')).toBe('next');
    asked[1]?.answer([item('a'), item('b')]);
    await more;
    expect(ids(list)).toEqual(['a', 'b']);
    expect(list.hasMore).toBe(false);
  });

  it('keeps what is there when the next page fails, and tries it again when asked', async () => {
    const list = new ItemList();
    const first = list.show(filters);
    asked[0]?.answer([item('a')], 'next');
    await first;
    const more = list.more();
    asked[1]?.fail();
    await more;
    expect([ids(list), list.standing, list.hasMore]).toEqual([['a'], 'there', true]);
    const again = list.more();
    asked[2]?.answer([item('b')]);
    await again;
    expect(ids(list)).toEqual(['a', 'b']);
  });

  it('gives an item back to its place', async () => {
    const list = new ItemList();
    const first = list.show(filters);
    asked[0]?.answer([item('a'), item('b'), item('c')]);
    await first;
    const giveBack = list.remove('b');
    expect(ids(list)).toEqual(['a', 'c']);
    giveBack();
    giveBack();
    expect(ids(list)).toEqual(['a', 'b', 'c']);
  });

  it('puts a changed item in its place, a new one first, and one that belongs elsewhere nowhere', async () => {
    const list = new ItemList();
    const first = list.show(filters);
    asked[0]?.answer([item('a'), item('b')]);
    await first;
    list.put(item('b', { content: 'changed', review_by: '2020-01-01' }));
    list.put(item('new'));
    list.put(item('company', { scope: 'organization' }));
    list.put(item('a', { status: 'pending' }));
    expect(ids(list)).toEqual(['new', 'b']);
    expect(list.items[1]).toMatchObject({ content: 'changed', to_be_confirmed: true });
  });
});
