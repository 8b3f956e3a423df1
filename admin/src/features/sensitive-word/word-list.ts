const MAX_WORD_LENGTH = 50;

/** One word per line; skips empty lines, comments (`# …`) and duplicates. */
export const parseWords = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  ),
];

/** Returns an error message, or undefined when all words are valid. */
export function validateWords(text: string): string | undefined {
  const words = parseWords(text);
  if (words.length === 0) return '请填写敏感词，每行一个';
  const long = words.find((word) => word.length > MAX_WORD_LENGTH);
  if (long !== undefined) return `「${long.slice(0, 10)}…」太长，每个最多 ${MAX_WORD_LENGTH} 个字`;
  const empty = words.find((word) => !/[\p{L}\p{N}\p{S}]/u.test(word));
  return empty === undefined ? undefined : `「${empty}」里没有文字`;
}
