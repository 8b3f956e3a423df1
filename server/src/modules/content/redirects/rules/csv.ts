/** The fields of a line; a quoted field may contain commas and doubled quotation marks. */
export function parseCsvLine(line: string): string[] {
  const fields: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (line[at + 1] === '"') {
        field += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === ',') {
      fields.push(field);
      field = '';
    } else field += character;
  }
  return [...fields, field].map((each) => each.trim());
}

/** Spreadsheets run a cell that begins like this as a formula. */
const FORMULA = /^\s*[=+\-@]/;

const toCell = (text: string): string => {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const toCsvLine = (fields: readonly string[]): string => `${fields.map(toCell).join(',')}\r\n`;

export const CSV_HEADER = ['旧网址', '新网址', '访问次数', '最近访问', '建立时间'] as const;

/** Whether the first line names the columns instead of addresses. */
export const isHeader = ([first = '']: readonly string[]): boolean =>
  !first.includes('/') || first === CSV_HEADER[0];
