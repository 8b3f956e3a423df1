/** Money is counted in whole fen everywhere; only people read and write yuan. Never through a fraction. */

/** 990 → 9.90, for inputs and files. */
export function toYuan(fen: number): string {
  const digits = String(Math.abs(fen)).padStart(3, '0');
  return `${fen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const grouped = (yuan: string): string => yuan.replace(/\B(?=(...){1,5}\.)/g, ',');

/** 990 → ¥ 9.90, 123456 → ¥ 1,234.56 */
export function formatYuan(fen: number): string {
  return `${fen < 0 ? '-' : ''}¥ ${grouped(toYuan(Math.abs(fen)))}`;
}

/** What came in or went out: +¥ 9.90, -¥ 9.90 */
export const formatChange = (fen: number): string => `${fen > 0 ? '+' : ''}${formatYuan(fen)}`;

/** As on a price tag: 1000 → ¥ 10, 990 → ¥ 9.90 */
export const formatTag = (fen: number): string => formatYuan(fen).replace(/\.00$/, '');

const YUAN = /^(\d{1,9})(?:\.(\d{0,2}))?$/;

/** What was typed, in fen: at most two decimals, no sign. Null when it is no amount. */
export function parseYuan(text: string): number | null {
  // Chinese keyboards write wide digits too.
  const match = YUAN.exec(text.normalize('NFKC').trim());
  return match === null ? null : Number(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`);
}
