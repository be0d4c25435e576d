/** How the editor looks. Custom properties reach into its shadow root, so that one theme serves light and dark. */
import { EditorView } from '@codemirror/view';

const shared = {
  '&.cm-focused': { outline: 'none' },
  '.cm-content ::selection, .cm-content::selection': { background: 'var(--selection)' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-hidden': {
    padding: '0 0.3em',
    margin: '0 1px',
    borderRadius: '4px',
    background: 'var(--warn-soft)',
    color: 'var(--warn-text)',
    font: '600 0.75em/1.4 var(--font-mono)',
    unicodeBidi: 'isolate',
  },
  '.cm-searchMatch': { background: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { background: 'var(--selection)' },
};

const search = {
  '.cm-panels': { background: 'var(--surface-2)', color: 'var(--text)', borderColor: 'var(--border)' },
  '.cm-panels-top': { borderBlockEnd: '1px solid var(--border)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0.4rem',
    padding: '0.5rem 2.5rem 0.5rem 1.25rem',
    font: '400 0.8125rem/1.4 var(--font-sans)',
  },
  '.cm-panel.cm-search br': { flexBasis: '100%', height: '0', content: '""' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': {
    margin: '0',
    fontSize: 'inherit',
  },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '0.3rem',
    minHeight: '1.75rem',
  },
  '.cm-textfield': {
    minHeight: '1.75rem',
    padding: '0 0.5rem',
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius-sm)',
    background: 'var(--surface)',
    color: 'var(--text)',
    font: 'inherit',
  },
  '.cm-button': {
    minHeight: '1.75rem',
    padding: '0 0.6rem',
    border: '1px solid var(--border)',
    borderRadius: 'var(--radius-sm)',
    background: 'var(--surface)',
    color: 'var(--text)',
    font: 'inherit',
    fontWeight: '540',
    cursor: 'pointer',
  },
  '.cm-button:active': { background: 'var(--surface-3)' },
  '.cm-panel.cm-search button[name=close]': {
    top: '0.4rem',
    right: '0.6rem',
    width: '1.75rem',
    height: '1.75rem',
    border: '0',
    background: 'none',
    color: 'var(--text-2)',
    fontSize: '1.1rem',
    cursor: 'pointer',
  },
  '.cm-panel :focus-visible': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
};

export const editorTheme = EditorView.theme({
  ...shared,
  ...search,
  '&': { height: '100%', fontSize: '0.9375rem', color: 'var(--text)', background: 'transparent' },
  '.cm-scroller': { fontFamily: 'var(--font-sans)', lineHeight: '1.65', overflow: 'auto' },
  '.cm-content': { padding: '1.25rem 0', caretColor: 'var(--accent)', maxWidth: '56rem', minHeight: '100%' },
  '.cm-line': { padding: '0 1.5rem' },
  '@media (max-width: 640px)': { '.cm-line': { padding: '0 1rem' }, '.cm-content': { fontSize: '1rem' } },
});

export const diffTheme = EditorView.theme({
  ...shared,
  '&': { fontSize: '0.875rem', background: 'transparent', color: 'var(--text)' },
  '.cm-scroller': { fontFamily: 'var(--font-sans)', lineHeight: '1.6' },
  '.cm-content': { padding: '0.75rem 0' },
  '.cm-content:focus-visible': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-line': { padding: '0 0.9rem' },
  '.cm-gutters': { background: 'transparent', border: 'none' },
  '.cm-changeGutter': { width: '3px', paddingLeft: '0' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { background: 'var(--deleted) !important' },
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine, .cm-inlineChangedLine': {
    background: 'var(--inserted) !important',
  },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'var(--deleted-strong) !important',
    borderRadius: '3px',
  },
  '&.cm-merge-b .cm-changedText': { background: 'var(--inserted-strong) !important', borderRadius: '3px' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--danger) !important' },
  '&.cm-merge-b .cm-changedLineGutter, .cm-inlineChangedLineGutter': {
    background: 'var(--accent) !important',
  },
  '.cm-deletedChunk': { paddingInlineStart: '0', textDecoration: 'none' },
  '.cm-deletedLine, .cm-deletedLine del': { textDecoration: 'none' },
  // The sign beside the colour, for whoever sees no difference between the two.
  '.cm-deletedChunk .cm-deletedLine::before': { content: '"− "', color: 'var(--danger-text)' },
  '.cm-collapsedLines': {
    margin: '0.15rem 0',
    padding: '4px 0.9rem',
    background: 'var(--surface-2) !important',
    color: 'var(--text-2) !important',
    fontSize: '0.75rem',
    fontWeight: '540',
    cursor: 'pointer',
  },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': {
    content: '"\\22EF"',
    margin: '0 0.4rem',
    color: 'var(--text-3)',
  },
});
