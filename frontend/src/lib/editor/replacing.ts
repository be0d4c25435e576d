/**
 * What is typed over a selection, put in by the editor instead of the browser.
 *
 * A browser keeps the look of what it replaces, as an inline style, which the content policy refuses and reports.
 */
import { EditorView } from '@codemirror/view';
import { type LineEnd, withLineEnd } from './lines';

export const replacing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view;
    const isReplacement = event.inputType === 'insertText' && !state.selection.main.empty;
    if (!isReplacement || event.data === null || view.composing || state.readOnly) return false;
    event.preventDefault();
    const text = withLineEnd(event.data, state.lineBreak as LineEnd);
    view.dispatch(
      state.update(state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true }),
    );
    return true;
  },
  // An input method then begins where the selection was, without it.
  compositionstart(_, view) {
    const { state } = view;
    if (state.selection.main.empty || state.readOnly) return false;
    view.dispatch(state.update(state.replaceSelection(''), { userEvent: 'delete.selection' }));
    return false;
  },
});
