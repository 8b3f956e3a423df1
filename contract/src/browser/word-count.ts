const EAST_ASIAN = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]';
/** A Chinese character is a word; so are letters and digits that belong together. */
const WORD = new RegExp(
  `${EAST_ASIAN}|(?:(?!${EAST_ASIAN})[\\p{L}\\p{N}])(?:(?!${EAST_ASIAN})[\\p{L}\\p{N}\\p{M}'’._-]|(?<=\\d),(?=\\d{3}(?!\\d)))*`,
  'gu',
);

/** In plain text, without Markdown. */
export const wordsIn = (text: string) => text.matchAll(WORD);

export function countWords(text: string): number {
  let count = 0;
  for (const _ of wordsIn(text)) count += 1;
  return count;
}

/** Quote marks, bullets, numbers and check boxes in front of a line, footnote names and alert kinds included. */
const LINE_START = /^(?:\s|>|[-*+](?=\s)|\d{1,9}[.)](?=\s)|\[[ xX]\](?=\s)|\[\^[^\]\s]+\]:|\[![A-Za-z]+\])+/;
const DEFINITION = /^ {0,3}\[[^\]^][^\]]*\]:\s*\S/;
const FENCE = /^(`{3,}|~{3,})([^`]*)$|^(~{3,})/;
const MATH_FENCE = /^\${2,}/;

/**
 * What of a line is no word: pictures, addresses, footnote marks, formulas, tags and character references. Each has a
 * longest length, or a crafted line would take a time that grows with its square.
 */
const SILENT = [
  /!\[[^\]]{0,500}\](?:\([^)]{0,2000}\)|\[[^\]]{0,500}\])?/g,
  /\]\([^)]{0,2000}\)|\]\[[^\]]{0,500}\]/g,
  /\[\^[^\]\s]{1,100}\]/g,
  /<\/?[A-Za-z][^<>]{0,2000}>/g,
  /https?:\/\/[^\s<>）】」》，。、；]+/g,
  /(?<!\\)\$(?=\S)[^$]{1,500}(?<=\S)\$(?!\d)/g,
  /&(?:[A-Za-z][A-Za-z\d]{1,31}|#\d{1,7}|#x[\dA-Fa-f]{1,6});/g,
];

/** Inline code is text as it stands, so nothing in it is taken for syntax. */
function countInline(line: string): number {
  const parts = line.split(/(?<!`)(`{1,9})(?!`)(.{0,2000}?[^`])\1(?!`)/);
  let count = 0;
  for (let i = 0; i < parts.length; i += 3) {
    let prose = parts[i] ?? '';
    for (const pattern of SILENT) prose = prose.replace(pattern, ' ');
    count += countWords(prose) + countWords(parts[i + 2] ?? '');
  }
  return count;
}

const WORDS_A_MINUTE = 400;
/** Code is looked over more than read. */
const CODE_WORDS_A_MINUTE = 1000;

/**
 * The one word count of the product: Chinese characters, and words and numbers of other scripts, in the prose of a
 * Markdown text. Code blocks, formulas, pictures, addresses and marks of Markdown are not counted. It takes a line at
 * a time, so that a long text can be counted in pieces.
 */
export function createWordCounter() {
  let words = 0;
  let codeWords = 0;
  /** What ends the block that is open, if one is. */
  let fence: { mark: string; isCode: boolean } | null = null;
  let inComment = false;

  function addProse(line: string): void {
    let rest = line;
    while (rest !== '') {
      const edge = rest.indexOf(inComment ? '-->' : '<!--');
      if (!inComment) words += countInline(edge < 0 ? rest : rest.slice(0, edge));
      if (edge < 0) return;
      rest = rest.slice(edge + (inComment ? 3 : 4));
      inComment = !inComment;
    }
  }

  return {
    add(line: string): void {
      const bare = line.replace(LINE_START, '');
      if (fence !== null) {
        const inner = line.trim().replace(/^[>\s]+/, '');
        const isEnd = fence.isCode
          ? inner.startsWith(fence.mark) && inner.replaceAll(fence.mark[0] ?? '', '') === ''
          : inner.endsWith(fence.mark);
        if (isEnd) fence = null;
        else if (fence.isCode) codeWords += countWords(line);
        return;
      }
      if (inComment) {
        addProse(line);
        return;
      }
      const code = FENCE.exec(bare);
      if (code !== null) {
        fence = { mark: code[1] ?? code[3] ?? '', isCode: true };
        return;
      }
      const math = MATH_FENCE.exec(bare)?.[0];
      if (math !== undefined) {
        // `$$ x $$` on one line is over where it ends.
        if (!bare.slice(math.length).includes(math)) fence = { mark: math, isCode: false };
        return;
      }
      if (DEFINITION.test(line)) return;
      addProse(bare);
    },
    result: () => ({
      words,
      minutes: Math.max(1, Math.round(words / WORDS_A_MINUTE + codeWords / CODE_WORDS_A_MINUTE)),
    }),
  };
}

export function countMarkdown(markdown: string): { words: number; minutes: number } {
  const counter = createWordCounter();
  for (const line of markdown.split(/\r\n?|\n/)) counter.add(line);
  return counter.result();
}
