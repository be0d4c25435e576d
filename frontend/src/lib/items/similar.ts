/**
 * Whether two texts say nearly the same, as a hint while somebody types. The service decides in the same way when it
 * saves (`domain/similarity.py`); it knows more of words, so that this may miss what it finds, and then it says so.
 */
const SHARED_OF_SHORTER = 0.6;
const SHARED_OF_BOTH = 0.3;
const SHARED_MIN = 2;

export function areSimilar(one: string, other: string): boolean {
  const [first, second] = [wordsOf(one), wordsOf(other)];
  const shared = [...first].filter((word) => second.has(word)).length;
  if (shared < SHARED_MIN) return false;
  const both = new Set([...first, ...second]).size;
  return shared / Math.min(first.size, second.size) >= SHARED_OF_SHORTER && shared / both >= SHARED_OF_BOTH;
}

function wordsOf(text: string): Set<string> {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  const words = [...segmenter.segment(text.normalize('NFKC').toLowerCase())];
  return new Set(words.filter((each) => each.isWordLike).map((each) => each.segment));
}
