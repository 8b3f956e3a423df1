/** Providers write yuan with two decimals; `12.3` and `12` occur too. */
export function toFen(yuan: string): number {
  const [, sign = '', integer = '', decimals = ''] =
    /^([-+]?)(\d{1,12})(?:\.(\d{1,2}))?$/.exec(yuan.trim()) ?? [];
  if (integer === '') throw new Error(`not an amount: ${yuan.slice(0, 20)}`);
  const fen = Number(integer) * 100 + Number(decimals.padEnd(2, '0'));
  return sign === '-' && fen !== 0 ? -fen : fen;
}

export const toYuan = (fen: number): string =>
  `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`;
