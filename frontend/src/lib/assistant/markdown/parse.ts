/**
 * Markdown as a small tree that `Markdown.svelte` turns into elements, one kind for each: no HTML is ever made of a text.
 *
 * Raw HTML is text, pictures are links (a picture would be fetched, and tell somebody that it was), and a link that
 * leads nowhere safe is its text. What is nested deeper than anybody reads is shown as it is written.
 */
import type { SyntaxNode } from '@lezer/common';
import { Autolink, Strikethrough, Table, TaskList, parser } from '@lezer/markdown';
import { safeLink, type SafeLink } from './safe-link';
import { visible } from './visible';

export type Inline =
  | { is: 'text' | 'code'; text: string }
  | { is: 'strong' | 'emphasis' | 'strike'; of: Inline[] }
  | { is: 'link'; link: SafeLink; of: Inline[] }
  | { is: 'break' };
export type Item = { of: Block[]; done: boolean | undefined };
export type Block =
  | { is: 'paragraph'; of: Inline[] }
  | { is: 'heading'; level: number; of: Inline[] }
  | { is: 'code'; language: string; text: string }
  | { is: 'quote'; of: Block[] }
  | { is: 'list'; ordered: boolean; start: number; items: Item[] }
  | { is: 'table'; head: Inline[][]; rows: Inline[][][]; align: ('start' | 'center' | 'end')[] }
  | { is: 'rule' };

export const DEPTH_MAX = 16;
/** Longer answers are shown as plain text, since some texts take a parser time with the square of their length. */
export const CHARACTERS_MAX = 64_000;
// A line that begins with so many marks of lists and quotes is no text that was written to be read.
const FORGED_DEPTH = /^(?:[ \t]*(?:[-*+>]|\d{1,9}[.)])){32}/m;

// Blocks of HTML would swallow the Markdown in them; single tags are kept as what they are, which is text.
const markdown = parser.configure([Table, Strikethrough, Autolink, TaskList, { remove: ['HTMLBlock'] }]);

export function parseMarkdown(text: string): Block[] {
  if (text.length > CHARACTERS_MAX || FORGED_DEPTH.test(text))
    return [{ is: 'code', language: '', text: visible(text) }];
  const top = markdown.parse(text).topNode;
  const reading = { text, references: referencesOf(text, top) };
  return blocksOf(reading, top, 0);
}

type Reading = { text: string; references: ReadonlyMap<string, string> };

const MARKS = new Set([
  'HeaderMark',
  'QuoteMark',
  'ListMark',
  'TaskMarker',
  'LinkReference',
  'TableDelimiter',
]);

function blocksOf(reading: Reading, parent: SyntaxNode, depth: number): Block[] {
  const blocks: Block[] = [];
  for (const node of childrenOf(parent)) {
    if (!MARKS.has(node.name)) blocks.push(blockOf(reading, node, depth));
  }
  return blocks;
}

function blockOf(reading: Reading, node: SyntaxNode, depth: number): Block {
  if (depth >= DEPTH_MAX) return { is: 'paragraph', of: [plain(sourceOf(reading, node))] };
  const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name);
  if (heading)
    return { is: 'heading', level: Number(heading[1]), of: trimmed(inlinesOf(reading, node, depth)) };
  switch (node.name) {
    case 'Blockquote':
      return { is: 'quote', of: blocksOf(reading, node, depth + 1) };
    case 'BulletList':
    case 'OrderedList':
      return listOf(reading, node, depth);
    case 'FencedCode':
    case 'CodeBlock':
      return codeOf(reading, node);
    case 'HorizontalRule':
      return { is: 'rule' };
    case 'Table':
      return tableOf(reading, node, depth);
    default:
      return { is: 'paragraph', of: trimmed(inlinesOf(reading, node, depth)) };
  }
}

function listOf(reading: Reading, node: SyntaxNode, depth: number): Block {
  const items = childrenOf(node).filter((child) => child.name === 'ListItem');
  const mark = items[0]?.getChild('ListMark');
  const start = mark ? Number.parseInt(sourceOf(reading, mark), 10) : 1;
  return {
    is: 'list',
    ordered: node.name === 'OrderedList',
    start: Number.isSafeInteger(start) ? start : 1,
    items: items.map((item) => {
      const box = item.getChild('Task')?.getChild('TaskMarker');
      const done = box ? /x/i.test(sourceOf(reading, box)) : undefined;
      return { of: blocksOf(reading, item, depth + 1), done };
    }),
  };
}

function codeOf(reading: Reading, node: SyntaxNode): Block {
  const info = node.getChild('CodeInfo');
  const text = node
    .getChildren('CodeText')
    .map((part) => sourceOf(reading, part))
    .join('');
  return {
    is: 'code',
    language: visible(info ? (sourceOf(reading, info).split(/\s/)[0] ?? '') : '').slice(0, 30),
    text: visible(text),
  };
}

function tableOf(reading: Reading, node: SyntaxNode, depth: number): Block {
  const cells = (row: SyntaxNode | null): Inline[][] =>
    row?.getChildren('TableCell').map((cell) => trimmed(inlinesOf(reading, cell, depth))) ?? [];
  const delimiters = node.getChild('TableDelimiter');
  const columns = delimiters
    ? sourceOf(reading, delimiters)
        .split('|')
        .filter((column) => column.includes('-'))
    : [];
  return {
    is: 'table',
    head: cells(node.getChild('TableHeader')),
    rows: node.getChildren('TableRow').map(cells),
    align: columns.map((column) => {
      const written = column.trim();
      if (!written.endsWith(':')) return 'start';
      return written.startsWith(':') ? 'center' : 'end';
    }),
  };
}

/** What stands in a node: its text, and the elements in it, without the marks that make them. */
function inlinesOf(reading: Reading, parent: SyntaxNode, depth: number): Inline[] {
  const found: Inline[] = [];
  let at = parent.from;
  for (const node of childrenOf(parent)) {
    if (node.from > at) found.push(plain(reading.text.slice(at, node.from)));
    const inline = inlineOf(reading, node, depth + 1);
    if (inline) found.push(inline);
    at = node.to;
  }
  if (parent.to > at) found.push(plain(reading.text.slice(at, parent.to)));
  return found;
}

function inlineOf(reading: Reading, node: SyntaxNode, depth: number): Inline | undefined {
  if (depth >= DEPTH_MAX) return plain(sourceOf(reading, node));
  switch (node.name) {
    case 'Emphasis':
      return { is: 'emphasis', of: inlinesOf(reading, node, depth) };
    case 'StrongEmphasis':
      return { is: 'strong', of: inlinesOf(reading, node, depth) };
    case 'Strikethrough':
      return { is: 'strike', of: inlinesOf(reading, node, depth) };
    case 'InlineCode':
      return { is: 'code', text: visible(withoutMarks(reading, node).trim() || ' ') };
    case 'Link':
    case 'Image':
      return linkOf(reading, node, depth);
    case 'Autolink':
    case 'URL':
      return addressOf(sourceOf(reading, node).replace(/^<|>$/g, ''));
    case 'HardBreak':
      return { is: 'break' };
    case 'Escape':
      return plain(sourceOf(reading, node).slice(1));
    case 'Entity':
      return plain(entity(sourceOf(reading, node)));
    case 'HTMLTag':
    case 'Comment':
    case 'ProcessingInstruction':
      return plain(sourceOf(reading, node));
    default:
      // Marks: what they make is told by the node that they belong to.
      return undefined;
  }
}

function linkOf(reading: Reading, node: SyntaxNode, depth: number): Inline {
  const [open, close] = node.getChildren('LinkMark');
  const label = node.getChild('LinkLabel');
  const written = open && close ? reading.text.slice(open.to, close.from) : '';
  const address =
    node.getChild('URL') !== null
      ? sourceOf(reading, node.getChild('URL') as SyntaxNode).replace(/^<|>$/g, '')
      : reading.references.get(nameOf(label ? sourceOf(reading, label).slice(1, -1) || written : written));
  const link = address === undefined ? undefined : safeLink(address);
  // Brackets that are no link are just brackets.
  if (!link) return plain(address === undefined ? sourceOf(reading, node) : written);
  const of = open && close ? innerOf(reading, node, depth, open.to, close.from) : [];
  return { is: 'link', link, of: of.length ? of : [plain(link.target)] };
}

function innerOf(reading: Reading, node: SyntaxNode, depth: number, from: number, to: number): Inline[] {
  const found: Inline[] = [];
  let at = from;
  for (const child of childrenOf(node).filter((each) => each.from >= from && each.to <= to)) {
    if (child.from > at) found.push(plain(reading.text.slice(at, child.from)));
    const inline = inlineOf(reading, child, depth + 1);
    // A link within a link is none.
    if (inline) found.push(inline.is === 'link' ? plain(sourceOf(reading, child)) : inline);
    at = child.to;
  }
  if (to > at) found.push(plain(reading.text.slice(at, to)));
  return found.filter((each) => each.is !== 'text' || each.text !== '');
}

function addressOf(written: string): Inline {
  const link = safeLink(
    /^[^\s:/]+@/.test(written)
      ? `mailto:${written}`
      : /^www\./i.test(written)
        ? `https://${written}`
        : written,
  );
  return link ? { is: 'link', link, of: [plain(written)] } : plain(written);
}

/** `[name]: address` anywhere in the text. The first of a name counts, as in CommonMark. */
function referencesOf(text: string, top: SyntaxNode): Map<string, string> {
  const found = new Map<string, string>();
  for (const node of top.getChildren('LinkReference')) {
    const [label, url] = [node.getChild('LinkLabel'), node.getChild('URL')];
    if (!label || !url) continue;
    const name = nameOf(text.slice(label.from + 1, label.to - 1));
    if (!found.has(name)) found.set(name, text.slice(url.from, url.to).replace(/^<|>$/g, ''));
  }
  return found;
}

const nameOf = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();

function withoutMarks(reading: Reading, node: SyntaxNode): string {
  const marks = node.getChildren('CodeMark');
  const [first, last] = [marks[0], marks.at(-1)];
  return first && last ? reading.text.slice(first.to, last.from) : sourceOf(reading, node);
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  euro: '€',
};

/** A character by its name or number; what is not known stays as it is written. */
function entity(written: string): string {
  const name = written.slice(1, -1);
  const number = /^#x([0-9a-f]{1,6})$/i.exec(name)?.[1];
  const code = number === undefined ? Number(/^#(\d{1,7})$/.exec(name)?.[1]) : Number.parseInt(number, 16);
  if (Number.isNaN(code)) return ENTITIES[name] ?? written;
  const isCharacter = code > 0 && code <= 0x10ffff && !(0xd800 <= code && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : written;
}

const sourceOf = (reading: Reading, node: SyntaxNode): string => reading.text.slice(node.from, node.to);
const plain = (text: string): Inline => ({ is: 'text', text: visible(text) });

/** Without the blanks at both ends, where marks stood. */
function trimmed(inlines: Inline[]): Inline[] {
  const first = inlines[0];
  const last = inlines.at(-1);
  if (first?.is === 'text') first.text = first.text.trimStart();
  if (last?.is === 'text') last.text = last.text.trimEnd();
  return inlines.filter((each) => each.is !== 'text' || each.text !== '');
}
