/**
 * Line ends that stay what they are. The editor breaks a text at one kind of line end: at carriage return and line feed
 * where all are that, else at line feeds; a carriage return that is none of these is then a character, and shown as one.
 */
export type LineEnd = '\n' | '\r\n';

export function lineEndOf(text: string): LineEnd {
  if (!text.includes('\r\n')) return '\n';
  return /[\r\n]/.test(text.replaceAll('\r\n', '')) ? '\n' : '\r\n';
}

/** The text as it is compared: a last line is the same one with a line end and without. */
export const closed = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** What comes from elsewhere, such as the clipboard, with the line ends of this text. */
export const withLineEnd = (text: string, end: LineEnd): string => text.replace(/\r\n?|\n/g, end);
