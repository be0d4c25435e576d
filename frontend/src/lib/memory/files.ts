/** The text in and out of files of this machine. Nothing of it goes anywhere else. */
import { TEXT_BYTES_MAX } from './sizes';

class NotAText extends Error {}
export class FileTooLong extends Error {}

/** The text of a file, as it is. Raises NotAText, FileTooLong. */
export async function readTextFile(file: File): Promise<string> {
  if (file.size > TEXT_BYTES_MAX) throw new FileTooLong();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch {
    throw new NotAText();
  }
}

export function downloadMarkdown(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/markdown;charset=utf-8' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
}
