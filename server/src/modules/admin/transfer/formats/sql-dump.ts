/** Reads the rows of INSERT statements in a dump of MySQL, SQLite or PostgreSQL, in one pass. */

export type SqlRow = Readonly<Record<string, string>>;

interface Scanner {
  text: string;
  at: number;
  /** SQLite and PostgreSQL do not escape with a backslash. */
  hasEscapes: boolean;
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', '0': '\0', Z: '\x1a' };

/** Reads a quoted text at the current position; the quote is doubled or escaped inside. */
function readQuoted(scanner: Scanner): string {
  const { text, hasEscapes } = scanner;
  const quote = text.charAt(scanner.at);
  const escapes = hasEscapes && quote !== '`';
  let from = scanner.at + 1;
  const parts: string[] = [];
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '\\' && escapes) {
      const next = text.charAt(at + 1);
      parts.push(text.slice(from, at), ESCAPES[next] ?? next);
      at += 1;
      from = at + 1;
    } else if (letter === quote) {
      parts.push(text.slice(from, at));
      if (text[at + 1] !== quote) {
        scanner.at = at + 1;
        return parts.join('');
      }
      parts.push(quote);
      at += 1;
      from = at + 1;
    }
  }
  scanner.at = text.length;
  return parts.join('') + text.slice(from);
}

const isSpace = (letter: string | undefined): boolean =>
  letter === ' ' || letter === '\n' || letter === '\r' || letter === '\t';

/** Moves behind spaces and comments; MySQL's conditional comments are comments, too. */
function skipSpace(scanner: Scanner): void {
  const { text } = scanner;
  const moveBehind = (mark: string): void => {
    const end = text.indexOf(mark, scanner.at);
    scanner.at = end < 0 ? text.length : end + mark.length;
  };
  for (;;) {
    if (isSpace(text[scanner.at])) scanner.at += 1;
    else if (text.startsWith('--', scanner.at) || text[scanner.at] === '#') moveBehind('\n');
    else if (text.startsWith('/*', scanner.at)) moveBehind('*/');
    else return;
  }
}

const WORD = /[\w.$-]+/y;

function readWord(scanner: Scanner): string {
  WORD.lastIndex = scanner.at;
  const [word = ''] = WORD.exec(scanner.text) ?? [];
  scanner.at += word.length;
  return word;
}

/** Reads `name`, `"name"` or `database`.`name`; only the last part counts. */
function readName(scanner: Scanner): string {
  skipSpace(scanner);
  let name = '';
  do {
    if (scanner.text[scanner.at] === '.') scanner.at += 1;
    name = /["'`]/.test(scanner.text.charAt(scanner.at)) ? readQuoted(scanner) : readWord(scanner);
  } while (scanner.text[scanner.at] === '.');
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Moves behind the end of a statement. */
function skipStatement(scanner: Scanner): void {
  const { text } = scanner;
  while (scanner.at < text.length) {
    const letter = text[scanner.at];
    if (letter === ';') {
      scanner.at += 1;
      return;
    }
    if (letter === "'" || letter === '"' || letter === '`') readQuoted(scanner);
    else if (letter === '-' || letter === '#' || letter === '/') {
      const before = scanner.at;
      skipSpace(scanner);
      if (scanner.at === before) scanner.at += 1;
    } else scanner.at += 1;
  }
}

/** The names in parentheses: of INSERT all, of CREATE TABLE the first word of each definition. */
function readColumns(scanner: Scanner): string[] {
  const names: string[] = [];
  let depth = 0;
  let isStart = false;
  const { text } = scanner;
  while (scanner.at < text.length) {
    skipSpace(scanner);
    const letter = text.charAt(scanner.at);
    if (isStart && depth === 1 && /[\w"`']/.test(letter)) {
      const isQuoted = /["`']/.test(letter);
      const name = isQuoted ? readQuoted(scanner) : readWord(scanner);
      if (isQuoted || !/^(?:primary|unique|key|index|constraint|fulltext|check|foreign)$/i.test(name))
        names.push(name);
      isStart = false;
    } else if (letter === '(') {
      depth += 1;
      isStart = depth === 1;
      scanner.at += 1;
    } else if (letter === ')') {
      depth -= 1;
      scanner.at += 1;
      if (depth === 0) return names;
    } else if (letter === ';') return names;
    else if (letter === ',') {
      isStart = depth === 1;
      scanner.at += 1;
    } else if (/["`']/.test(letter)) readQuoted(scanner);
    else scanner.at += 1;
  }
  return names;
}

/** Reads one value; NULL is an empty text. */
function readValue(scanner: Scanner): string {
  skipSpace(scanner);
  const { text } = scanner;
  const letter = text.charAt(scanner.at);
  if (letter === "'" || letter === '"') return readQuoted(scanner);
  const word = readWord(scanner);
  const next = text.charAt(scanner.at);
  // `_binary 'text'`, `N'text'`, `E'text'`
  if ((/^_\w+$/.test(word) && isSpace(next)) || next === "'") {
    skipSpace(scanner);
    if (text[scanner.at] === "'") return readQuoted(scanner);
  }
  if (/^0x(?:[\da-f]{2})*$/i.test(word)) return Buffer.from(word.slice(2), 'hex').toString('utf8');
  return /^null$/i.test(word) ? '' : word;
}

/** Moves behind the arguments of a function such as `now()`. */
function skipCall(scanner: Scanner): void {
  const { text } = scanner;
  if (text[scanner.at] !== '(') return;
  for (let depth = 0; scanner.at < text.length; ) {
    const letter = text[scanner.at];
    if (letter === "'" || letter === '"') {
      readQuoted(scanner);
      continue;
    }
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    scanner.at += 1;
    if (depth === 0) return;
  }
}

function* readRows(scanner: Scanner, columns: readonly string[]): Generator<SqlRow> {
  const { text } = scanner;
  for (;;) {
    skipSpace(scanner);
    if (text[scanner.at] === ',') {
      scanner.at += 1;
      continue;
    }
    if (text[scanner.at] !== '(') return;
    const row: Record<string, string> = {};
    for (let index = 0; scanner.at < text.length; index += 1) {
      // Behind the parenthesis or the comma.
      scanner.at += 1;
      const value = readValue(scanner);
      skipCall(scanner);
      const column = columns[index];
      if (column !== undefined) row[column] = value;
      skipSpace(scanner);
      if (text[scanner.at] !== ',') break;
    }
    // An expression that is not understood.
    while (scanner.at < text.length && text[scanner.at] !== ')' && text[scanner.at] !== ';') scanner.at += 1;
    if (text[scanner.at] === ')') scanner.at += 1;
    yield row;
  }
}

/** Returns the rows of the tables that `isWanted` accepts. */
export function* readSqlDump(
  text: string,
  isWanted: (table: string) => boolean,
): Generator<{ table: string; row: SqlRow }> {
  const start = text.slice(0, 4096);
  const scanner: Scanner = {
    text,
    at: 0,
    hasEscapes: !/PRAGMA foreign_keys|PostgreSQL database dump/i.test(start),
  };
  const columnsOf = new Map<string, string[]>();
  while (scanner.at < text.length) {
    skipSpace(scanner);
    const word = readWord(scanner).toLowerCase();
    if (word === 'create' || word === 'insert' || word === 'replace') {
      skipSpace(scanner);
      let next = readWord(scanner).toLowerCase();
      while (next === 'ignore' || next === 'if' || next === 'not' || next === 'exists') {
        skipSpace(scanner);
        next = readWord(scanner).toLowerCase();
      }
      if (word === 'create' && next === 'table') {
        skipSpace(scanner);
        if (/^if\s+not\s+exists\s/i.test(text.slice(scanner.at, scanner.at + 30)))
          for (let count = 0; count < 3; count += 1) {
            readWord(scanner);
            skipSpace(scanner);
          }
        const table = readName(scanner);
        if (isWanted(table)) columnsOf.set(table, readColumns(scanner));
      }
      if (word !== 'create' && next === 'into') {
        const table = readName(scanner);
        skipSpace(scanner);
        const columns = text[scanner.at] === '(' ? readColumns(scanner) : columnsOf.get(table);
        skipSpace(scanner);
        const values = readWord(scanner);
        if (isWanted(table) && columns !== undefined && /^values?$/i.test(values))
          for (const row of readRows(scanner, columns)) yield { table, row };
      }
    }
    skipStatement(scanner);
  }
}
