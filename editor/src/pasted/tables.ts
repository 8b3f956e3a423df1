import {
  attributeOf,
  type Child,
  classesOf,
  createElement,
  createRaw,
  createText,
  type Element,
  isBlank,
  isBlock,
  isElement,
  type Parent,
  replaceElements,
  textOf,
} from './tree.ts';

const MAX_COLUMNS = 100;

type Align = 'left' | 'center' | 'right';
/** Alignments of the classes in a style sheet, which Excel uses. */
export type ClassAligns = ReadonlyMap<string, Align>;

const toAlign = (value: string): Align | null =>
  value === 'left' || value === 'center' || value === 'right' ? value : null;

/** Reads `.xl65 { …; text-align: center }` from style elements. */
export function readClassAligns(css: string): ClassAligns {
  const aligns = new Map<string, Align>();
  for (const [, name = '', rules = ''] of css.matchAll(/\.([\w-]{1,40})\s{0,10}\{([^{}]{0,2000})\}/g)) {
    const align = toAlign(/text-align:\s{0,3}(\w+)/i.exec(rules)?.[1]?.toLowerCase() ?? '');
    if (align !== null) aligns.set(name, align);
  }
  return aligns;
}

function alignOf(cell: Element, classAligns: ClassAligns): Align | null {
  const [first] = (cell.children as Child[]).filter((child) => !isBlank(child));
  for (const element of [cell, ...(isElement(first, 'p', 'div', 'section') ? [first] : [])]) {
    const found =
      toAlign(/text-align:\s{0,3}(\w+)/i.exec(attributeOf(element, 'style'))?.[1]?.toLowerCase() ?? '') ??
      toAlign(attributeOf(element, 'align').toLowerCase()) ??
      classesOf(element)
        .map((name) => classAligns.get(name))
        .find((align) => align !== undefined);
    if (found) return found;
  }
  return null;
}

interface Cell {
  content: Child[];
  align: Align | null;
}
const EMPTY: Cell = { content: [], align: null };

/** The lines of a cell: a cell of Markdown is one line, so blocks are separated by line breaks. */
function linesOf(parent: Element): Child[][] {
  const lines: Child[][] = [[]];
  const startLine = () => {
    if (lines.at(-1)?.some((child) => !isBlank(child))) lines.push([]);
  };
  for (const child of parent.children as Child[]) {
    if (isElement(child, 'br')) startLine();
    else if (isElement(child, 'pre'))
      for (const line of textOf(child).split('\n')) {
        startLine();
        if (line.trim() !== '') lines.at(-1)?.push(createElement('code', {}, [createText(line)]));
      }
    else if (isElement(child, 'x-block')) {
      startLine();
      const tex = attributeOf(child, 'value').replaceAll('$$', '').replace(/\s+/g, ' ').trim();
      lines.at(-1)?.push(createRaw(`$${tex}$`));
    } else if (isElement(child) && isBlock(child)) {
      startLine();
      const [first = [], ...others] = linesOf(child);
      const marked = child.tagName === 'li' ? [createText('• '), ...first] : first;
      for (const line of [marked, ...others]) {
        startLine();
        lines.at(-1)?.push(...line);
      }
      startLine();
    } else lines.at(-1)?.push(child);
  }
  return lines.filter((line) => line.some((child) => !isBlank(child)));
}

const contentOf = (cell: Element): Child[] =>
  linesOf(cell).flatMap((line, index) => (index === 0 ? line : [createElement('br'), ...line]));

/** The rows of the table without those of tables inside it. */
function rowsOf(parent: Parent): Element[] {
  return (parent.children as Child[]).flatMap((child) => {
    if (isElement(child, 'tr')) return [child];
    return isElement(child, 'thead', 'tbody', 'tfoot') ? rowsOf(child) : [];
  });
}

const spanOf = (cell: Element, name: 'colSpan' | 'rowSpan', max: number): number =>
  Math.min(max, Math.max(1, Math.floor(Number(cell.properties[name])) || 1));

/** Merged cells become their first cell and empty ones, so that nothing is said twice. */
function toGrid(rows: readonly Element[], classAligns: ClassAligns): Cell[][] {
  const grid: Cell[][] = rows.map(() => []);
  for (const [y, row] of rows.entries()) {
    let x = 0;
    for (const cell of row.children) {
      if (!isElement(cell, 'td', 'th')) continue;
      const cells = grid[y] ?? [];
      while (cells[x] !== undefined) x += 1;
      const width = spanOf(cell, 'colSpan', MAX_COLUMNS);
      const height = spanOf(cell, 'rowSpan', rows.length - y);
      if (x + width > MAX_COLUMNS) break;
      const align = alignOf(cell, classAligns);
      for (let below = 0; below < height; below += 1)
        for (let beside = 0; beside < width; beside += 1) {
          const target = grid[y + below];
          if (target !== undefined)
            target[x + beside] = below === 0 && beside === 0 ? { content: contentOf(cell), align } : EMPTY;
        }
      x += width;
    }
  }
  return grid.map((cells) => Array.from(cells, (cell) => cell ?? EMPTY));
}

const isUsed = ({ content }: Cell): boolean => content.length > 0;

/** The alignment that most filled cells of the column have; numbers in Excel are aligned without a style. */
function columnAlign(body: readonly Cell[], head: Cell): Align | null {
  const filled = body.filter(isUsed);
  const cells = filled.length > 0 ? filled : [head];
  for (const align of ['left', 'center', 'right'] as const)
    if (cells.filter((cell) => cell.align === align).length * 2 > cells.length) return align;
  return null;
}

function convertTable(table: Element, classAligns: ClassAligns): Child[] {
  const rows = rowsOf(table);
  const grid = toGrid(rows, classAligns).filter((cells) => cells.some(isUsed));
  const width = Math.max(0, ...grid.map((cells) => cells.findLastIndex(isUsed) + 1));
  const [head = []] = grid;
  const only =
    grid.length === 1 && width === 1
      ? rows[0]?.children.find((cell) => isElement(cell, 'td', 'th'))
      : undefined;
  // A table with one cell is a frame.
  if (isElement(only)) return [createElement('div', {}, only.children)];
  if (width === 0) return [];
  const aligns = Array.from({ length: width }, (_, x) =>
    columnAlign(
      grid.slice(1).map((cells) => cells[x] ?? EMPTY),
      head[x] ?? EMPTY,
    ),
  );
  const toRow = (cells: readonly Cell[], tag: 'th' | 'td') =>
    createElement(
      'tr',
      {},
      Array.from({ length: width }, (_, x) =>
        createElement(tag, aligns[x] ? { align: aligns[x] } : {}, cells[x]?.content ?? []),
      ),
    );
  const caption = table.children.find((child) => isElement(child, 'caption'));
  const result = createElement('table', {}, [
    createElement('thead', {}, [toRow(head, 'th')]),
    createElement(
      'tbody',
      {},
      grid.slice(1).map((cells) => toRow(cells, 'td')),
    ),
  ]);
  return isElement(caption) ? [createElement('p', {}, caption.children), result] : [result];
}

/** Tables get a header row and as many cells in every row. Inner tables are converted first. */
export function convertTables(root: Parent, classAligns: ClassAligns): void {
  replaceElements(root, (element) => {
    if (element.tagName !== 'table') return undefined;
    for (const row of rowsOf(element))
      for (const cell of row.children) if (cell.type === 'element') flattenTables(cell);
    return convertTable(element, classAligns);
  });
}

function flattenTables(cell: Element): void {
  replaceElements(cell, (element) => {
    if (element.tagName !== 'table') return undefined;
    return rowsOf(element).map((row) =>
      createElement('p', {}, [
        createText(
          row.children
            .filter((child) => isElement(child, 'td', 'th'))
            .map((child) => textOf(child).trim())
            .join(' '),
        ),
      ]),
    );
  });
}
