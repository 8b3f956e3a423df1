import { createShaper, type FontFamily, type Shaper, toPaths } from './fonts.ts';
import {
  balanceLines,
  breakLines,
  graphemesOf,
  justify,
  type Line,
  removeRedundantSpaces,
  splitPieces,
  type TextPiece,
  toSingleLine,
  truncateLines,
} from './lines.ts';

export interface TextBlock {
  text: string;
  family: FontFamily;
  weight: number;
  width: number;
  /** Uses the first size in which the text fits; at the last size it is truncated. */
  fits: readonly { size: number; lineHeight: number; lines: number }[];
  /** Balanced lines for titles, justified lines for texts. */
  shape?: 'balanced' | 'filled';
}

export interface TypesetBlock {
  /** Glyph outlines relative to the upper left corner, without a fill colour. */
  svg: string;
  width: number;
  height: number;
}

function toPieces(text: string, shaper: Shaper, width: number): TextPiece[] {
  const measured = (part: string): TextPiece => ({
    text: part,
    width: shaper(part).width,
    isSpace: part === ' ',
  });
  const pieces = splitPieces(text)
    .map(measured)
    .flatMap((piece) => (piece.width > width ? graphemesOf(piece.text).map(measured) : [piece]));
  return removeRedundantSpaces(pieces);
}

/** Distance from the top of the em box, the same in both font families. */
const BASELINE = 0.88;

function draw(lines: Line[], shaper: Shaper, size: number, lineHeight: number): TypesetBlock {
  const svg = lines.map(({ pieces }, row) => {
    const y = row * lineHeight + (lineHeight - size) / 2 + BASELINE * size;
    return pieces.map(({ piece, x }) => toPaths(shaper(piece.text), { x: x * size, y, size })).join('');
  });
  const width = Math.max(0, ...lines.map((line) => line.width)) * size;
  return { svg: svg.join(''), width, height: lines.length * lineHeight };
}

async function typesetBlock({
  family,
  weight,
  width,
  fits,
  shape,
  ...block
}: TextBlock): Promise<TypesetBlock> {
  const text = toSingleLine(block.text);
  const shaper = await createShaper(`${text}…`, family, weight);
  let result: TypesetBlock = { svg: '', width: 0, height: 0 };
  for (const { size, lineHeight, lines: maxLines } of fits) {
    const measure = width / size;
    const pieces = toPieces(text, shaper, measure);
    const all = shape === 'balanced' ? balanceLines(pieces, measure) : breakLines(pieces, measure);
    const visibleLines =
      all.length > maxLines ? truncateLines(breakLines(pieces, measure), maxLines, measure) : all;
    const isLast = (row: number) => row === all.length - 1 || row === maxLines - 1;
    const lines =
      shape === 'filled'
        ? visibleLines.map((line, row) => (isLast(row) ? line : justify(line, measure)))
        : visibleLines;
    result = draw(lines, shaper, size, lineHeight);
    if (all.length <= maxLines) break;
  }
  return result;
}

// biome-ignore lint/style/noDefaultExport: what the thread pool calls
export default async function typesetAll(blocks: readonly TextBlock[]): Promise<TypesetBlock[]> {
  const done: TypesetBlock[] = [];
  for (const block of blocks) done.push(await typesetBlock(block));
  return done;
}
