/**
 * Markdown for the editor, straight from its parser: `@codemirror/lang-markdown` would bring those of HTML, CSS and
 * JavaScript along, which nothing here shows.
 */
import { Language, defineLanguageFacet, languageDataProp } from '@codemirror/language';
import type { Command, KeyBinding } from '@codemirror/view';
import { GFM, parser } from '@lezer/markdown';

const data = defineLanguageFacet();
const configured = parser.configure([GFM, { props: [languageDataProp.add({ Document: data })] }]);

export const markdown = new Language(data, configured, [], 'markdown');

const ITEM = /^(\s*)([-*+]|(\d{1,9})([.)]))(\s+)(\[[ xX]\]\s+)?/;

/** What Enter puts in front of the next line of a list; null where the line is no item. */
function continuation(line: string): string | null {
  const match = ITEM.exec(line);
  if (!match) return null;
  const [, indent = '', mark = '', digits, point = '', blanks = '', box] = match;
  const next = digits === undefined ? mark : `${Number(digits) + 1}${point}`;
  return indent + next + blanks + (box === undefined ? '' : '[ ] ');
}

/** Whether there is nothing in the item but its mark. */
function isEmptyItem(line: string): boolean {
  const match = ITEM.exec(line);
  return match !== null && line.trim() === match[0].trim();
}

/** Enter continues a list, and ends it at an empty item. */
const continueList: Command = ({ state, dispatch }) => {
  const { main } = state.selection;
  if (!main.empty) return false;
  const line = state.doc.lineAt(main.head);
  const mark = ITEM.exec(line.text)?.[0];
  if (mark === undefined || main.head < line.from + mark.length) return false;
  if (isEmptyItem(line.text)) {
    dispatch(state.update({ changes: { from: line.from, to: line.to }, userEvent: 'delete' }));
    return true;
  }
  const put = state.replaceSelection(state.lineBreak + (continuation(line.text) ?? ''));
  dispatch(state.update(put, { scrollIntoView: true, userEvent: 'input' }));
  return true;
};

export const markdownKeys: readonly KeyBinding[] = [{ key: 'Enter', run: continueList }];
