/** Spreadsheets run such a cell as a formula, so it is marked as text unless it is a plain number. */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
const NUMBER = /^-?\d+(\.\d+)?$/;
/** Spreadsheets keep only the first 15 digits of a number, so longer ones are marked as text. */
const LONG_NUMBER = /^\d{16,}$/;

function toCell(value: string): string {
  const isText = (FORMULA.test(value) && !NUMBER.test(value)) || LONG_NUMBER.test(value);
  const safe = isText ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Starts with a byte order mark, by which spreadsheets recognize UTF-8. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((row) => row.map(toCell).join(',')).join('\r\n')}\r\n`;
