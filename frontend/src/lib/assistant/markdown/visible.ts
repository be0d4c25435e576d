/** Characters that turn text around or are not seen at all, written as what they are: an answer shows what it holds. */

// Bidirectional controls, invisible operators, tags, and controls that no text needs.
const HIDDEN =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2060-\u206F\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

export const visible = (text: string): string =>
  text.replace(HIDDEN, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧`;
  });
