import type { EssayFigures } from '#contract/stats.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { figures } from './figures.ts';

/** A cell that a spreadsheet would run as a formula is marked as text. */
const FORMULA = /^[=+\-@\t\r]/;

function toCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const toRow = (essay: EssayFigures): string[] => [
  toCell(essay.title),
  formatDateTime(essay.publishedAt),
  ...figures.map(({ key }) => String(essay[key])),
];

/** With the mark at its beginning by which spreadsheets know UTF-8. */
export function toCsv(essays: readonly EssayFigures[]): string {
  const rows = [['标题', '发布时间', ...figures.map(({ label }) => label)], ...essays.map(toRow)];
  return `\ufeff${rows.map((row) => row.join(',')).join('\r\n')}\r\n`;
}
