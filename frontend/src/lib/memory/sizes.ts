/** How long the memory text may be, in UTF-8 bytes. */

/** A longer text is kept as it is, and the Assistant is not given it. */
export const RECALL_BYTES_MAX = 8192;
/** The longest text that is kept at all: 192 KiB. */
export const TEXT_BYTES_MAX = 192 * 1024;
/** From here on the page says that room is getting short. */
const WARN_SHARE = 0.85;

export type Fill = 'fine' | 'near' | 'over' | 'too-long';

export function fillOf(bytes: number): Fill {
  if (bytes > TEXT_BYTES_MAX) return 'too-long';
  if (bytes > RECALL_BYTES_MAX) return 'over';
  return bytes >= RECALL_BYTES_MAX * WARN_SHARE ? 'near' : 'fine';
}
