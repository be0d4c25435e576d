import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Unaccepted } from './chat.svelte';
import { follow, forgetArrived, giveBack, takeOut, textFor, write } from './composing.svelte';
import { newTurn } from './turn';

const session = vi.hoisted(() => ({ standing: 'signed-in' }));
vi.mock('../state/session.svelte', () => ({ session, whenLeaving: () => undefined }));

const sent = (text: string, more: Partial<Unaccepted> = {}): Unaccepted => ({
  text,
  key: 'k',
  conversation: 'c',
  after: 2,
  ...more,
});

describe('what is written', () => {
  beforeEach(() => {
    session.standing = 'signed-in';
    for (const address of ['c', 'd', null]) takeOut('w', address, '');
  });

  it('is of one conversation in one workspace, and one that comes back stands before it', () => {
    write('w', 'c', 'typed since');
    giveBack('w', 'c', sent('Hi'));
    expect([textFor('w', 'c'), textFor('w', 'd'), textFor('v', 'c')]).toEqual(['Hi\n\ntyped since', '', '']);
  });

  it('goes out under the same key only if it is the same', () => {
    giveBack('w', 'c', sent('Hi'));
    expect(takeOut('w', 'c', 'Hi')).toMatchObject({ key: 'k' });
    expect(textFor('w', 'c')).toBe('');
    giveBack('w', 'c', sent('Hi'));
    write('w', 'c', 'Hi there');
    expect(takeOut('w', 'c', 'Hi there')).toBeUndefined();
  });

  it('follows a new conversation to its address', () => {
    write('w', null, 'next');
    follow('w', 'c');
    expect([textFor('w', null), textFor('w', 'c')]).toEqual(['', 'next']);
  });

  it.each([
    [3, 'Hi', ''],
    [2, 'Hi', 'Hi'],
    [3, 'Something else', 'Hi'],
  ])('is dropped where it has arrived after all (turn %s: %s)', (number, question, left) => {
    for (const address of ['c', null]) giveBack('w', address, sent('Hi'));
    forgetArrived('w', 'c', [{ ...newTurn('t', question), number }]);
    expect([textFor('w', 'c'), textFor('w', null)]).toEqual([left, left]);
  });

  it('is not kept for whoever signs in next', () => {
    session.standing = 'signed-out';
    giveBack('w', 'c', sent('Hi'));
    expect(textFor('w', 'c')).toBe('');
  });
});
