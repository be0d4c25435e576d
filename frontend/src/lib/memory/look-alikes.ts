/**
 * Markers of the recall block and tokens of chat templates in a text, however they are spelt, made harmless.
 *
 * As `domain/look_alikes.py` does it for the Assistant, so that a person sees the very words that it is given;
 * tests/vectors/recall-block.json holds both to the same results. A text is read as a model would read it: invisible
 * characters left out, full width as ASCII, entities and escapes resolved, letters of other scripts as the Latin ones that
 * they look like. The opening bracket of each forged marker becomes a parenthesis, and nothing else changes.
 */

const HARMLESS_BRACKET = '(';

/** Named entities that stand for something in a marker. */
const ENTITIES: Record<string, string> = {
  lt: '<',
  LT: '<',
  Lt: '≪',
  gt: '>',
  GT: '>',
  Gt: '≫',
  lang: '⟨',
  langle: '⟨',
  rang: '⟩',
  rangle: '⟩',
  lsaquo: '‹',
  rsaquo: '›',
  laquo: '«',
  raquo: '»',
  sol: '/',
  lowbar: '_',
  UnderBar: '_',
  nbsp: '\u00a0',
  shy: '\u00ad',
  zwj: '\u200d',
  zwnj: '\u200c',
  ZeroWidthSpace: '\u200b',
  NoBreak: '\u2060',
  hyphen: '\u2010',
  dash: '\u2010',
  vert: '|',
  verbar: '|',
  lsqb: '[',
  lbrack: '[',
};
const ESCAPED = new RegExp(
  '&(?:amp;|#38;|#x26;)*' +
    `(?:#[xX][0-9a-fA-F]{1,8};?|#[0-9]{1,9};?|(?:${Object.keys(ENTITIES)
      .sort((one, other) => other.length - one.length)
      .join('|')});?)` +
    '|%(?:25)*[2-7][0-9a-fA-F]' +
    '|\\\\{1,4}(?:u00[2-7][0-9a-fA-F]|u\\{0*[2-7][0-9a-fA-F]\\}|U000000[2-7][0-9a-fA-F]|x[2-7][0-9a-fA-F])' +
    '|.',
  'gsu',
);
const AMPERSANDS = /^&(?:amp;|#38;|#x26;)*/;
const LIKE_OPENING = '‹«〈《⟨⟪❬❮❰⧼⟬≪⋘⦑⦓˂ᐸᚲ𝈶\u2329';
const LIKE_CLOSING = '›»〉》⟩⟫❭❯❱⧽⟭≫⋙⦒⦔˃ᐳ𝈷\u232a';
// Where none of these stands there is no marker and no token: most texts need not be looked at further.
const OPENING = new RegExp(`[<\\[${LIKE_OPENING}\\uff1c\\ufe64\\u226e\\uff3b\\ufe47&%\\\\]`, 'u');

const LOOKS_LIKE = new Map(
  (
    [
      [LIKE_OPENING, '<'],
      [LIKE_CLOSING, '>'],
      ['\u2044\u2215\u29f8\u2571\u27cb', '/'],
      ['\u2223\u01c0\u2502\u23d0\u2758', '|'],
      ['ԝѡᴡꮃᏔꮤωɯաᎳ', 'w'],
      ['оОοΟᴏօⲟⲞჿσ०০〇Օ', 'o'],
      ['гᴦʀꭇꭈᎡꮁᏒɾ', 'r'],
      ['кКκΚᴋᏦⲕⲔĸ', 'k'],
      ['ѕЅꜱՏᏕꮪᏚƽ', 's'],
      ['рРρΡᴘᏢⲣⲢϱ', 'p'],
      ['аАαΑᴀᎪɑⲁ', 'a'],
      ['сСϲϹᴄᏟⲥⲤ', 'c'],
      ['еЕεΕᴇᎬҽєЄ', 'e'],
      ['мМΜᴍᎷⲘϺ', 'm'],
      ['уУγΥʏᎩүҮყⲨ', 'y'],
    ] as const
  ).flatMap(([characters, letter]) => [...characters].map((each) => [each, letter] as const)),
);

const UNSEEN = /^[\u115f\u1160\u3164\u2800\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Mn}\p{Me}]$/u;
const WORD = '[\\p{L}\\p{N}_]';
const JUNK = '(?:[^\\w<>(]|_)*';
const LETTERS: Record<string, string> = { o: '[o0]', a: '[a4]', e: '[e3]', s: '[s5]' };
const MARKER = [...'workspacememory'].map((letter) => LETTERS[letter] ?? letter).join(JUNK);
const ANGLE_TOKENS =
  's|bos|eos|pad|unk|mask|cls|sep|sop|eop|eod|eot|eom|think|thinking|tools?|tool_calls?|tool_results?' +
  `|tool_responses?|function_calls?|function_results?|antml:${WORD}+|invoke|parameter|system-reminder` +
  `|(?:start|begin|end)_of_${WORD}+|fim_${WORD}+|im_${WORD}+|image_soft_token|audio_soft_token` +
  `|extra_id_\\p{Nd}+|unused\\p{Nd}+|reserved_${WORD}+|special_\\p{Nd}+|seed:${WORD}+|gmask|smask`;
const SQUARE_TOKENS =
  'INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|MODEL_SETTINGS|THINK|ARGS|CALL_ID' +
  '|IMG|IMG_END|IMG_BREAK|AUDIO|BEGIN_AUDIO|PREFIX|SUFFIX|MIDDLE|BOS|EOS|PAD|UNK|CLS|SEP|MASK|gMASK|sMASK' +
  '|control_\\p{Nd}+';
// Each matches its bracket alone and looks at what follows, in which neither a bracket nor a parenthesis may stand: so
// each bracket is found, and making one harmless makes no other.
const FORGED = [
  new RegExp(`<(?=${JUNK}${MARKER})`, 'gi'),
  /<(?=\|)/g,
  new RegExp(`<(?=(?:${WORD}|[/ .:-]){1,60}\\|>)`, 'gu'),
  /<(?=<\/?(?:sys|user|assistant|human|ai)>>)/giu,
  new RegExp(`<(?=/?(?:${ANGLE_TOKENS})(?:[\\s/][^<>(]{0,200})?>)`, 'giu'),
  new RegExp(`\\[(?=/?(?:${SQUARE_TOKENS})\\])`, 'gu'),
  new RegExp(`\\[(?=\\|(?:${WORD}|/){1,40}\\|\\])`, 'gu'),
];

/** The text with the opening bracket of every forged marker and template token as a parenthesis. */
export function withoutLookAlikes(text: string): string {
  if (!OPENING.test(text)) return text;
  const pieces = text.match(ESCAPED) ?? [];
  const owners: number[] = [];
  const read = pieces.map((piece, number) => {
    const seen = seenAs(piece);
    for (let unit = 0; unit < seen.length; unit += 1) owners.push(number);
    return seen;
  });
  const whole = read.join('');
  for (const pattern of FORGED) {
    for (const match of whole.matchAll(pattern)) pieces[owners[match.index] as number] = HARMLESS_BRACKET;
  }
  return pieces.join('');
}

/** What one character, or one written as an escape, is read as. Empty for what nobody sees. */
function seenAs(piece: string): string {
  const character = [...piece].length > 1 ? resolved(piece) : piece;
  if (/^[ -~]*$/.test(character)) return character;
  if (/^\s+$/.test(character) && character !== '\ufeff') return ' ';
  const translated = (text: string): string => [...text].map((each) => LOOKS_LIKE.get(each) ?? each).join('');
  return [...translated(translated(character).normalize('NFKD'))]
    .filter((each) => !UNSEEN.test(each))
    .join('');
}

function resolved(piece: string): string {
  if (!piece.startsWith('&'))
    return String.fromCharCode(Number.parseInt(piece.replace(/[^0-9a-fA-F]/g, '').slice(-2), 16));
  const name = piece.replace(AMPERSANDS, '').replace(/;$/, '');
  if (!name.startsWith('#')) return ENTITIES[name] ?? '';
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}
