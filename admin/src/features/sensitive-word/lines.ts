const LONGEST = 50;

/** Words as people paste them: one a line, without empty ones, notes (`# …`) and repetitions. */
export const readLines = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  ),
];

/** What is wrong with them, if anything. */
export function problemOfLines(text: string): string | undefined {
  const words = readLines(text);
  if (words.length === 0) return '请填写敏感词，每行一个';
  const long = words.find((word) => word.length > LONGEST);
  if (long !== undefined) return `「${long.slice(0, 10)}…」太长，每个最多 ${LONGEST} 个字`;
  const empty = words.find((word) => !/[\p{L}\p{N}\p{S}]/u.test(word));
  return empty === undefined ? undefined : `「${empty}」里没有文字`;
}
