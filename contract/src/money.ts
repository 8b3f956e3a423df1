/** Amounts are integers in fen everywhere; yuan exist only as text. Never calculate with fractions. */

/** Limits in fen of the price of an essay or a column. */
export const READ_PRICE_LIMITS = { min: 100, max: 100_000 } as const;

/** Whether something that is for sale may cost this much. */
export const isReadPrice = (fen: number): boolean =>
  fen >= READ_PRICE_LIMITS.min && fen <= READ_PRICE_LIMITS.max;

/** 990 → 9.90, for inputs and files. */
export function toYuan(fen: number): string {
  const digits = String(Math.abs(fen)).padStart(3, '0');
  return `${fen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const groupThousands = (yuan: string): string => yuan.replace(/\B(?=(...){1,5}\.)/g, ',');

/** 990 → ¥ 9.90, 123456 → ¥ 1,234.56 */
export function formatYuan(fen: number): string {
  return `${fen < 0 ? '-' : ''}¥ ${groupThousands(toYuan(Math.abs(fen)))}`;
}

/** +¥ 9.90, -¥ 9.90 */
export const formatSignedYuan = (fen: number): string => `${fen > 0 ? '+' : ''}${formatYuan(fen)}`;

/** 1000 → ¥ 10, 990 → ¥ 9.90 */
export const formatPriceTag = (fen: number): string => formatYuan(fen).replace(/\.00$/, '');

const YUAN = /^(\d{1,9})(?:\.(\d{0,2}))?$/;

/** Returns fen, or null unless the text is an amount with at most two decimals and no sign. */
export function parseYuan(text: string): number | null {
  // Chinese input methods also produce full-width digits.
  const match = YUAN.exec(text.normalize('NFKC').trim());
  return match === null ? null : Number(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`);
}
