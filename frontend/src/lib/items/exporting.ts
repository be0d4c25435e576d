/** An export as it comes in, piece by piece, and the file that the browser then keeps. */
import { exportMemory } from '../api/transfers';
import type { ExportIn } from '../api/schema';

type Fetched = { name: string; file: Blob; items: number };

/** Fetch an export. `told` hears how many bytes of how many are there. Raises as `call`, and AbortError. */
export async function fetchExport(
  workspace: string,
  body: ExportIn,
  signal: AbortSignal,
  told: (done: number, of: number) => void,
): Promise<Fetched> {
  const answer = await exportMemory(workspace, body, signal);
  const of = Number(answer.headers.get('content-length') ?? 0);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let done = 0;
  const reader = answer.body?.getReader();
  for (;;) {
    const read = await reader?.read();
    if (!read || read.done) break;
    parts.push(read.value as Uint8Array<ArrayBuffer>);
    done += read.value.length;
    told(done, Math.max(of, done));
  }
  const type = answer.headers.get('content-type') ?? 'text/plain';
  return {
    name: /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'memory',
    file: new Blob(parts, { type }),
    items: Number(answer.headers.get('item-count') ?? 0),
  };
}

/** Hand a file to the browser, as a download would. */
export function keepFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  // The browser has taken it over by the next turn; the page need not hold the texts any longer.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
