import { expect, it } from 'vitest';
import { calledBy, firstKeyName, titleOf } from './client-names';

const generic = { client: 'json', title: 'Another client' };
const cursor = { client: 'cursor', title: 'Cursor' };

it('calls a client that no tab is made for by the name of its key', () => {
  expect(firstKeyName(generic)).toBe('My client');
  expect(calledBy(generic, 'Editor at home')).toBe('Editor at home');
  expect(calledBy(generic, undefined)).toBe(titleOf(generic));
});

it('calls a known client by its own name, however its key is called', () => {
  expect(firstKeyName(cursor)).toBe('Cursor');
  expect(calledBy(cursor, 'Cursor at home')).toBe('Cursor');
});
