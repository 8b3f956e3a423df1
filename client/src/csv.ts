/** A cell that a spreadsheet would run as a formula is marked as text; a plain number is none. */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
const NUMBER = /^-?\d+(\.\d+)?$/;
/** So is a long number, of which it would keep only the first fifteen digits. */
const LONG_NUMBER = /^\d{16,}$/;

function toCell(value: string): string {
  const isText = (FORMULA.test(value) && !NUMBER.test(value)) || LONG_NUMBER.test(value);
  const safe = isText ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** With the mark at its beginning by which spreadsheets know UTF-8. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((row) => row.map(toCell).join(',')).join('\r\n')}\r\n`;
