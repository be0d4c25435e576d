/**
 * Markdown for the editor, straight from its parser: `@codemirror/lang-markdown` would bring those of HTML, CSS and
 * JavaScript along, which nothing here shows. It only gives colour, so the editor does not wait for it.
 */
import {
  HighlightStyle,
  Language,
  defineLanguageFacet,
  languageDataProp,
  syntaxHighlighting,
} from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { GFM, parser } from '@lezer/markdown';

const data = defineLanguageFacet();
const configured = parser.configure([GFM, { props: [languageDataProp.add({ Document: data })] }]);

const language = new Language(data, configured, [], 'markdown');

const highlight = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.heading1, fontSize: '1.35em', fontWeight: '660', letterSpacing: '-0.015em' },
    { tag: tags.heading2, fontSize: '1.12em', fontWeight: '640', letterSpacing: '-0.008em' },
    { tag: [tags.heading3, tags.heading4, tags.heading5, tags.heading6], fontWeight: '640' },
    { tag: tags.strong, fontWeight: '660' },
    { tag: tags.emphasis, fontStyle: 'italic' },
    { tag: tags.strikethrough, textDecoration: 'line-through' },
    { tag: tags.link, color: 'var(--accent-text)', textDecoration: 'underline' },
    { tag: tags.url, color: 'var(--text-3)' },
    { tag: tags.monospace, fontFamily: 'var(--font-mono)', fontSize: '0.9em' },
    { tag: tags.quote, color: 'var(--text-2)', fontStyle: 'italic' },
    {
      tag: [tags.processingInstruction, tags.contentSeparator, tags.meta],
      color: 'var(--text-3)',
      fontWeight: '400',
    },
  ]),
);

/** The language with its colours. */
export const markdown: Extension = [language, highlight];
