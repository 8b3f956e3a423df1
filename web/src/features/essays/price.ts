/** 600 → ¥ 6, 650 → ¥ 6.50 */
export function formatPrice(fen: number): string {
  const yuan = fen / 100;
  return `¥ ${Number.isInteger(yuan) ? yuan : yuan.toFixed(2)}`;
}
