import { expect, it } from 'vitest';
import { isLoopback } from './loopback';

it.each(['http://127.0.0.1:8787/mcp/1', 'https://localhost', 'http://[::1]:8787', 'http://127.8.0.1'])(
  'knows %s as an address of one machine alone',
  (address) => expect(isLoopback(address)).toBe(true),
);

it.each([
  'https://memory.example.com',
  'http://192.0.2.7',
  'https://127.0.0.1.example.com',
  'http://[::2]',
  '',
])('takes %s for an address that others reach', (address) => expect(isLoopback(address)).toBe(false));
