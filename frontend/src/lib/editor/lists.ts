/** Lists in the editor: Enter continues them, and a mark that is typed takes the place of the editor's own. */
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { type Command, type KeyBinding, keymap } from '@codemirror/view';

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

/** Where the editor has put a list mark by itself, and nothing stands between it and what is typed there. */
type Continued = { from: number; prefix: string };
const setContinued = StateEffect.define<Continued | null>();
const continued = StateField.define<Continued | null>({
  create: () => null,
  update(value, { changes, effects, newDoc, newSelection }) {
    for (const effect of effects) if (effect.is(setContinued)) return effect.value;
    if (!value) return null;
    const line = newDoc.lineAt(changes.mapPos(value.from, -1));
    const isHere = newSelection.main.head >= line.from && newSelection.main.head <= line.to;
    return isHere && line.text.startsWith(value.prefix) ? { from: line.from, prefix: value.prefix } : null;
  },
});

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
  // What moves to the next line may be an item already.
  const prefix = ITEM.test(state.sliceDoc(main.head, line.to)) ? '' : (continuation(line.text) ?? '');
  const put = state.replaceSelection(state.lineBreak + prefix);
  // A line break is one character of the document, whatever it is written as.
  const effects = prefix ? setContinued.of({ from: main.head + 1, prefix }) : [];
  dispatch(state.update(put, { effects, scrollIntoView: true, userEvent: 'input' }));
  return true;
};

const TYPED = /^(\s*)([-*+]|\d{1,9}[.)])\s/;

/**
 * What of a line, in characters from its start, the editor's own mark has to give up for the one that a person wrote
 * behind it; null where that wrote none. The own indent counts where one is written.
 */
export function doubledMark(line: string, prefix: string): { from: number; to: number } | null {
  const typed = line.startsWith(prefix) ? TYPED.exec(line.slice(prefix.length)) : null;
  if (!typed) return null;
  const [, indent = '', mark = ''] = typed;
  // A long number is rather a year than the number of an item, unless it is the very next one.
  if (/^\d{3}/.test(mark) && mark !== prefix.trim()) return null;
  return { from: indent ? 0 : indentOf(prefix), to: prefix.length };
}

const indentOf = (prefix: string): number => prefix.length - prefix.trimStart().length;

/** A mark that is typed or pasted where the editor has just put one takes its place, once. */
const oneMark = EditorState.transactionFilter.of((transaction) => {
  const before = transaction.startState.field(continued);
  // What an input method composes is left alone.
  const isTyped = transaction.isUserEvent('input') && !transaction.isUserEvent('input.type.compose');
  if (!before || !isTyped || !transaction.docChanged) return transaction;
  const line = transaction.newDoc.lineAt(transaction.changes.mapPos(before.from, -1));
  const doubled = doubledMark(line.text, before.prefix);
  if (!doubled) return transaction;
  const changes = { from: line.from + doubled.from, to: line.from + doubled.to };
  return [transaction, { changes, effects: setContinued.of(null), sequential: true }];
});

const keys: readonly KeyBinding[] = [{ key: 'Enter', run: continueList }];

/** Lists that go on by themselves. */
export const markdownLists: Extension = [continued, oneMark, keymap.of(keys)];
