/** A cell that a spreadsheet would run as a formula is marked as text; a plain number is none. */
const FORMULA = /^[=+\-@＝＋－＠\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

function toCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** With the mark at its beginning by which spreadsheets know UTF-8. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((row) => row.map(toCell).join(',')).join('\r\n')}\r\n`;
