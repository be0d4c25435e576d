/** What is typed where the editor has continued a list. */
import { EditorSelection, EditorState, type TransactionSpec } from '@codemirror/state';
import { keymap, type EditorView } from '@codemirror/view';
import { describe, expect, it } from 'vitest';
import { markdownLists } from './lists';

/** A text with the cursor at its end, or at `|`, as keys and pastes change it. */
class Typing {
  state: EditorState;

  constructor(text: string) {
    const at = text.includes('|') ? text.indexOf('|') : text.length;
    const selection = EditorSelection.cursor(at);
    this.state = EditorState.create({ doc: text.replace('|', ''), selection, extensions: [markdownLists] });
  }

  enter(): this {
    const view = { state: this.state, dispatch: (tr: { state: EditorState }) => (this.state = tr.state) };
    const [binding] = this.state.facet(keymap).flat();
    if (!binding?.run?.(view as unknown as EditorView)) this.#update(this.state.replaceSelection('\n'));
    return this;
  }

  types(text: string): this {
    for (const letter of text)
      this.#update({ ...this.state.replaceSelection(letter), userEvent: 'input.type' });
    return this;
  }

  pastes(text: string): this {
    this.#update({ ...this.state.replaceSelection(text), userEvent: 'input.paste' });
    return this;
  }

  get text(): string {
    return this.state.sliceDoc();
  }

  #update(spec: TransactionSpec): void {
    this.state = this.state.update(spec).state;
  }
}

describe('a mark that is typed where the editor has put one', () => {
  it.each([
    ['- one', '- two', '- one\n- two'],
    ['* one', '* two', '* one\n* two'],
    ['+ one', '+ two', '+ one\n+ two'],
    ['1. one', '2. two', '1. one\n2. two'],
    ['1. one', '1. two', '1. one\n1. two'],
    ['999) one', '1000) two', '999) one\n1000) two'],
    ['- one', '* two', '- one\n* two'],
    ['- one', '1. two', '- one\n1. two'],
    ['  - one', '- two', '  - one\n  - two'],
    ['  - one', '    - two', '  - one\n    - two'],
    ['- [x] one', '- [ ] two', '- [x] one\n- [ ] two'],
  ])('takes its place: %j, then %j', (before, typed, after) => {
    expect(new Typing(before).enter().types(typed).text).toBe(after);
    expect(new Typing(before).enter().pastes(typed).text).toBe(after);
  });

  it.each([
    ['two', '- one\n- two'],
    ['-two', '- one\n- -two'],
    ['-- two', '- one\n- -- two'],
    ['2026. It began', '- one\n- 2026. It began'],
    ['- two - three', '- one\n- two - three'],
  ])('is no other text: %j', (typed, after) => {
    expect(new Typing('- one').enter().types(typed).text).toBe(after);
  });

  it('takes its place once, and only on that line', () => {
    expect(new Typing('- one').enter().types('- - two').text).toBe('- one\n- - two');
    expect(new Typing('- ').types('- two').text).toBe('- - two');
    expect(new Typing('- one').enter().types('- two').enter().types('- three').text).toBe(
      '- one\n- two\n- three',
    );
    expect(new Typing('- one').enter().pastes('- two\n- three').text).toBe('- one\n- two\n- three');
  });

  it('is not put before an item that moves to the next line', () => {
    expect(new Typing('- one |- two').enter().text).toBe('- one \n- two');
    expect(new Typing('- one |two').enter().text).toBe('- one \n- two');
  });

  it.each(['- one', '* one', '1. one', '- [ ] one', '  - one'])('goes with Enter behind it: %j', (before) => {
    expect(new Typing(before).enter().enter().text).toBe(`${before}\n`);
    expect(new Typing(before).enter().types('- ').enter().text).toBe(`${before}\n`);
  });
});
