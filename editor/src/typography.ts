/** A suggestion: replace a part of the text. */
export interface TextHint {
  kind: 'space' | 'punctuation' | 'repeated' | 'quotes' | 'html';
  from: number;
  to: number;
  insert: string;
  message: string;
}

const HAN = '\\p{Script=Han}';

/** Words of one Latin letter and a character, such as T恤, which are written without a space. */
const LETTER_WORDS =
  /(?<![A-Za-z0-9])(?:T恤|B超|B站|A股|B股|H股|K歌|K线|X光|U盘|Q版|C位|V领|O型|A型|B型|AB型|Y染|X染)/u;
/** Characters after a number that belong to it: dates, times and the like. */
const UNITS_AFTER = '年月日号时点分秒';
const CHARACTERS_BEFORE = '第年月初';

const HAN_THEN_LATIN = new RegExp(`(${HAN})([A-Za-z0-9])`, 'gu');
const LATIN_THEN_HAN = new RegExp(`([A-Za-z0-9%])(${HAN})`, 'gu');

/** A number after 第 belongs to the word. */
const ORDINAL = /第\d+$/;
const MAX_NUMBER_LENGTH = 20;

const isDigit = (letter: string): boolean => letter >= '0' && letter <= '9';

function* findSpaces(text: string): Generator<TextHint> {
  const hint = (at: number): TextHint => ({
    kind: 'space',
    from: at,
    to: at,
    insert: ' ',
    message: '中文和英文、数字之间空一格',
  });
  for (const { index, 1: before = '', 2: after = '' } of text.matchAll(HAN_THEN_LATIN)) {
    if (isDigit(after) && CHARACTERS_BEFORE.includes(before)) continue;
    const at = index + before.length;
    if (LETTER_WORDS.test(text.slice(at, at + 3))) continue;
    yield hint(at);
  }
  for (const { index, 1: before = '', 2: after = '' } of text.matchAll(LATIN_THEN_HAN)) {
    if (isDigit(before) && UNITS_AFTER.includes(after)) continue;
    if (ORDINAL.test(text.slice(Math.max(0, index - MAX_NUMBER_LENGTH), index + 1))) continue;
    if (LETTER_WORDS.test(text.slice(Math.max(0, index - 1), index + 2))) continue;
    yield hint(index + 1);
  }
}

const fullWidth: Record<string, string> = { ',': '，', ';': '；', ':': '：', '?': '？', '!': '！' };

const AFTER_HAN = new RegExp(`(?<=[${HAN}”’」』）》])([,;:?!])( *)`, 'gu');
/** A sentence ends here, unless the dot is part of a number, a file name or dots. */
const DOT_AFTER_HAN = new RegExp(`(?<=${HAN})\\.(?=\\s|$|${HAN}|[”」』）])`, 'gmu');
const DOTS_AFTER_HAN = new RegExp(`(?<=${HAN})(?:\\.{3,}|。{2,})`, 'gu');
/** Longer parts in brackets or quotes are left alone, which bounds the time. */
const BRACKETS = new RegExp(`(?<=${HAN})\\(([^()\\n\\uFFFC]{1,100})\\)`, 'gu');
const ANY_HAN = new RegExp(HAN, 'u');
const EMOJI_CODE = /^:[a-z0-9_+-]+:/;

function* findPunctuation(text: string): Generator<TextHint> {
  const hint = (from: number, to: number, insert: string): TextHint => ({
    kind: 'punctuation',
    from,
    to,
    insert,
    message: '中文后面用全角标点',
  });
  for (const { index, 0: whole, 1: mark = '' } of text.matchAll(AFTER_HAN)) {
    if (mark === ':' && EMOJI_CODE.test(text.slice(index, index + 30))) continue;
    // Definitions such as 「:---:」 in tables and 「::: 」 containers are no punctuation.
    if (mark === text[index + 1]) continue;
    yield hint(index, index + whole.length, fullWidth[mark] ?? mark);
  }
  for (const { index } of text.matchAll(DOT_AFTER_HAN)) yield hint(index, index + 1, '。');
  for (const { index, 0: dots } of text.matchAll(DOTS_AFTER_HAN))
    yield hint(index, index + dots.length, '……');
  for (const { index, 0: whole, 1: inside = '' } of text.matchAll(BRACKETS))
    if (ANY_HAN.test(inside)) yield hint(index, index + whole.length, `（${inside}）`);
}

/** Doubled by mistake; verbs such as 看看 and 试试, and words such as 个个, are doubled on purpose. */
const DOUBLED_CHARACTER = /([的了是在和与我你他她它这那就也都把被为从而但])\1/gu;
const DOUBLED_WORD =
  /(我们|你们|他们|她们|它们|这个|那个|这些|那些|因为|所以|但是|如果|可以|就是|已经|没有|然后|或者|以及|通过|需要|使用|其中|因此|同时)\1/gu;
const DOUBLED_ENGLISH = /\b(the|an?|of|to|in|is|are|and|or|that|with|for)[ ]+\1\b/giu;
/** Words that contain a doubled character. */
const DOUBLED_ON_PURPOSE =
  /不了了之|小时了了|的的确确|是是非非|在在处处|从从容容|和和(?:气气|美美|睦睦|乐乐)/u;
/** Two words may meet in the same character, as in 为了了解, 现在在 and 目的的. */
const ENDS_WORD =
  /(?:[为除罢算极]了|[现正存实所内外自好旨潜]在|目的|[成首古]都|[温平缓总之随暖]和|[参赠给付]与|[成造]就|[因行作认成以称变视定改分转译化]为|[服自听]从|[反然从进因时]而|不但|其他)$/u;
const STARTS_WORD =
  /^(?:了[解结却断然如]|是[否非]|把[关握手脉守玩]|为[了何什时首例主止期人难]|和[气平谐善睦解]|与否|从[容前此来事]|就[业此近绪诊读]|在[线职场校逃押]|都[市城]|但[凡愿]|而[且已]|被[子告动]|的[确士])/u;

function* findRepeated(text: string): Generator<TextHint> {
  const patterns = [DOUBLED_CHARACTER, DOUBLED_WORD, DOUBLED_ENGLISH];
  for (const pattern of patterns)
    for (const { index, 0: whole, 1: word = '' } of text.matchAll(pattern)) {
      const to = index + whole.length;
      if (DOUBLED_ON_PURPOSE.test(text.slice(Math.max(0, index - 2), to + 2))) continue;
      const isTwoWords =
        word.length === 1 &&
        (ENDS_WORD.test(text.slice(Math.max(0, index - 1), index + 1)) ||
          STARTS_WORD.test(text.slice(to - 1, to + 1)));
      if (isTwoWords) continue;
      // Longer runs are written on purpose.
      if (text[to] === word || text[index - 1] === word) continue;
      yield { kind: 'repeated', from: index, to, insert: word, message: `「${word}」重复了` };
    }
}

type QuoteStyle = readonly [open: string, close: string];
const CORNER: QuoteStyle = ['「', '」'];
const CURLY: QuoteStyle = ['“', '”'];

const countOf = (text: string, letter: string): number => text.split(letter).length - 1;

const STRAIGHT = /"([^"“”「」\n\uFFFC]{1,100})"/gu;
const MISMATCHED = /“[^“”"「」\n]{0,100}"|"[^“”"「」\n]{0,100}”/gu;
const CORNER_QUOTE = /「([^「」\n]{0,200})」/gu;
const CURLY_QUOTE = /“([^“”\n]{0,200})”/gu;

function* findQuotes(text: string): Generator<TextHint> {
  const [corner, curly] = [countOf(text, CORNER[0]), countOf(text, CURLY[0])];
  const usual = curly > corner ? CURLY : CORNER;
  const hint = (from: number, whole: string, inside: string, message: string): TextHint => ({
    kind: 'quotes',
    from,
    to: from + whole.length,
    insert: `${usual[0]}${inside}${usual[1]}`,
    message,
  });
  for (const { index, 0: whole, 1: inside = '' } of text.matchAll(STRAIGHT))
    if (ANY_HAN.test(inside)) yield hint(index, whole, inside, '中文里用中文的引号');
  for (const { index, 0: whole } of text.matchAll(MISMATCHED))
    yield hint(index, whole, whole.slice(1, -1), '前后引号不成对');
  if (corner === 0 || curly === 0 || corner === curly) return;
  const rare = usual === CURLY ? CORNER_QUOTE : CURLY_QUOTE;
  for (const { index, 0: whole, 1: inside = '' } of text.matchAll(rare))
    yield hint(index, whole, inside, `别处都用${usual[0]}${usual[1]}，这里换成一样的`);
}

/** `text` has placeholders where nothing may be changed. Sorted, without overlaps. */
export function findTypographyHints(text: string): TextHint[] {
  const found = [
    ...findPunctuation(text),
    ...findRepeated(text),
    ...findQuotes(text),
    ...findSpaces(text),
  ].sort((a, b) => a.from - b.from || b.to - a.to);
  const hints: TextHint[] = [];
  let end = -1;
  for (const hint of found) {
    if (hint.from < end) continue;
    hints.push(hint);
    end = hint.to;
  }
  return hints;
}
