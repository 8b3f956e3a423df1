import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compactText,
  createAnchoring,
  findExact,
  quoteAt,
  type TextQuote,
  type TextRange,
} from './anchoring.ts';

const CHARACTERS = [
  ...'的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运',
];
const chineseText = (min: number, max: number) =>
  fc.array(fc.constantFrom(...CHARACTERS), { minLength: min, maxLength: max }).map((all) => all.join(''));
/** Few different characters, so that the same words occur again and again. */
const repetitiveText = (max: number) =>
  fc.array(fc.constantFrom('甲', '乙', '丙'), { minLength: 1, maxLength: max }).map((all) => all.join(''));

/** A range as two numbers between 0 and 1. */
const place = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 60 }));
const toRange = (text: string, [at, length]: [number, number]): TextRange => {
  const start = Math.min(Math.floor(at * text.length), text.length - 1);
  return { start, end: Math.min(text.length, start + length) };
};

interface Edit {
  at: number;
  removed: number;
  added: string;
}
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.integer({ min: 0, max: 80 }),
  added: chineseText(0, 80),
});

/** Edits a text outside the range, and returns where the range is then. */
function editAround(text: string, range: TextRange, edits: Edit[]): { text: string; range: TextRange } {
  let current = { text, range };
  for (const { at, removed, added } of edits) {
    const { text, range } = current;
    const before = at * (range.start + text.length - range.end) < range.start;
    const from = before
      ? Math.floor(at * range.start)
      : range.end + Math.floor(at * (text.length - range.end));
    const limit = before ? range.start : text.length;
    const to = Math.min(limit, from + removed);
    const shift = before ? added.length - (to - from) : 0;
    current = {
      text: text.slice(0, from) + added + text.slice(to),
      range: { start: range.start + shift, end: range.end + shift },
    };
  }
  return current;
}

const overlap = (a: TextRange, b: TextRange): number =>
  Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));

test('finds an unchanged text where it was, however often the same words occur', () => {
  fc.assert(
    fc.property(fc.oneof(chineseText(1, 300), repetitiveText(300)), place, (text, where) => {
      const range = toRange(text, where);
      const found = createAnchoring(text)(quoteAt(text, range));
      expect(found).not.toBeNull();
      expect(text.slice(found?.start, found?.end)).toBe(text.slice(range.start, range.end));
      if (range.end - range.start > 40 || new Set(text).size > 3) expect(found).toEqual(range);
    }),
  );
});

test('finds a passage again after any edits around it', () => {
  fc.assert(
    fc.property(
      chineseText(60, 600),
      place,
      fc.array(edit, { minLength: 1, maxLength: 12 }),
      (text, [at, length], edits) => {
        // Shorter words also occur elsewhere by chance when nothing of the context is left.
        const range = toRange(text, [at, Math.max(6, length)]);
        fc.pre(range.end - range.start >= 6);
        const after = editAround(text, range, edits);
        expect(createAnchoring(after.text)(quoteAt(text, range))).toEqual(after.range);
      },
    ),
    { numRuns: 300 },
  );
});

test('chooses the occurrence whose context is the same', () => {
  const text = '第一段说风。中间隔了很多字很多字很多字。第二段说风。';
  const second = text.lastIndexOf('说风');
  const quote = quoteAt(text, { start: second, end: second + 2 });
  const longer = `新加的一段也说风。${text}`;
  expect(findExact(longer, quote)).toEqual({
    start: longer.lastIndexOf('说风'),
    end: longer.lastIndexOf('说风') + 2,
  });
});

test('finds a passage in which some characters were changed, added or removed', () => {
  const change = fc.record({
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    kind: fc.constantFrom('replace', 'insert', 'delete'),
    character: fc.constantFrom(...CHARACTERS),
  });
  fc.assert(
    fc.property(
      chineseText(200, 500),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.array(edit, { maxLength: 4 }),
      (text, at, changes, edits) => {
        const start = Math.floor(at * (text.length - 40));
        const range = { start, end: start + 40 };
        let passage = text.slice(range.start, range.end);
        for (const { at, kind, character } of changes) {
          const index = Math.floor(at * passage.length);
          passage =
            passage.slice(0, index) +
            (kind === 'delete' ? '' : character) +
            passage.slice(kind === 'insert' ? index : index + 1);
        }
        const around = editAround(text, range, edits);
        const changed =
          around.text.slice(0, around.range.start) + passage + around.text.slice(around.range.end);
        const found = createAnchoring(changed)(quoteAt(text, range));
        const expected = { start: around.range.start, end: around.range.start + passage.length };
        expect(found).not.toBeNull();
        expect(overlap(found ?? { start: 0, end: 0 }, expected)).toBeGreaterThanOrEqual(passage.length * 0.8);
      },
    ),
    { numRuns: 200 },
  );
});

test('does not take similar words elsewhere for a short passage that is gone', () => {
  const text = '第一条说明写在这里。第二条说明写在这里。';
  const start = text.indexOf('第二条说明');
  const quote = {
    ...quoteAt(text, { start, end: start + 5 }),
    prefix: '前面是别的',
    suffix: '后面也是别的话',
  };
  expect(createAnchoring('第一条说明写在这里。')(quote)).toBeNull();
});

test('does not find a passage in another text', () => {
  const long = (text: string) => text.length >= 12;
  fc.assert(
    fc.property(chineseText(12, 60).filter(long), chineseText(0, 400), (passage, other) => {
      fc.pre(!other.includes(passage.slice(0, 5)));
      const quote: TextQuote = { exact: passage, prefix: '', suffix: '', start: 0, end: passage.length };
      expect(createAnchoring(other)(quote)).toBeNull();
    }),
  );
});

test('returns a range within the text for any input', () => {
  const text = fc.string({ maxLength: 200, unit: 'grapheme' }).map(compactText);
  const position = fc.integer({ min: 0, max: 10_000 });
  fc.assert(
    fc.property(
      text,
      fc.record({ exact: text, prefix: text, suffix: text, start: position, end: position }),
      (text, quote) => {
        const found = createAnchoring(text)(quote);
        if (found === null) return;
        expect(found.start).toBeGreaterThanOrEqual(0);
        expect(found.end).toBeGreaterThan(found.start);
        expect(found.end).toBeLessThanOrEqual(text.length);
      },
    ),
  );
});

test('compares a bounded number of occurrences of a frequent word', () => {
  const text = '啊'.repeat(200_000);
  const quote = quoteAt(text, { start: 100_000, end: 100_001 });
  expect(findExact(text, quote)).toEqual({ start: 100_000, end: 100_001 });
});

test('finds words that overlap themselves', () => {
  const quote = { exact: '甲乙甲', prefix: '乙', suffix: '乙', start: 0, end: 3 };
  expect(findExact('甲乙甲乙甲乙甲', quote)).toEqual({ start: 2, end: 5 });
  expect(findExact('丙甲乙甲乙甲', { ...quote, suffix: '', start: 9 })).toEqual({ start: 3, end: 6 });
});
