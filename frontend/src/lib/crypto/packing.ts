/**
 * `LP`, the one way in which wm/v1 turns several values into bytes that mean only those values.
 *
 * Each part is its length as u32 and its bytes, so that no two lists of parts give the same bytes. Numbers are u64,
 * texts UTF-8, everything big-endian.
 */
import { type Bytes, joined, utf8 } from './bytes';

export type Part = string | Bytes | number | bigint;

/** The parts, each with its length in front. Raises NotText; RangeError for a number outside of 0 … 2^64-1. */
export function lp(...parts: Part[]): Bytes {
  return joined(...parts.map((part) => withLength(bytesOf(part))));
}

/** Eight bytes, big-endian. Raises RangeError for what is no whole number from 0 to 2^64-1. */
function u64(number: number | bigint): Bytes {
  const whole = typeof number === 'bigint' || Number.isSafeInteger(number) ? BigInt(number) : -1n;
  if (whole < 0n || whole >= 1n << 64n) throw new RangeError('a number of wm/v1 is from 0 to 2^64-1');
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, whole);
  return bytes;
}

function bytesOf(part: Part): Bytes {
  if (typeof part === 'string') return utf8(part);
  return part instanceof Uint8Array ? part : u64(part);
}

function withLength(bytes: Bytes): Bytes {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return joined(length, bytes);
}
