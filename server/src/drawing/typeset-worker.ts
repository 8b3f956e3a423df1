import { createShaper, type Family, type Shaper, toPaths } from './fonts.ts';
import {
  balanceLines,
  breakLines,
  cutLines,
  divide,
  dropSpaces,
  type Line,
  lettersOf,
  type Piece,
  stretch,
  toPlain,
} from './lines.ts';

/** Words to be set in a column. */
export interface Block {
  text: string;
  family: Family;
  weight: number;
  width: number;
  /** The first in which all of it finds room; the last cuts it short. */
  fits: readonly { size: number; lineHeight: number; lines: number }[];
  /** Lines of even length, for titles; or filled to the edge, for texts. */
  shape?: 'balanced' | 'filled';
}

export interface SetBlock {
  /** Outlines from the upper left corner; they take the colour of what they stand in. */
  svg: string;
  width: number;
  height: number;
}

function toPieces(text: string, shaper: Shaper, width: number): Piece[] {
  const measured = (part: string): Piece => ({
    text: part,
    width: shaper(part).width,
    isSpace: part === ' ',
  });
  const pieces = divide(text)
    .map(measured)
    .flatMap((piece) => (piece.width > width ? lettersOf(piece.text).map(measured) : [piece]));
  return dropSpaces(pieces);
}

/** From the top of the letters' box, which the fonts of both families have alike. */
const BASELINE = 0.88;

function draw(lines: Line[], shaper: Shaper, size: number, lineHeight: number): SetBlock {
  const svg = lines.map(({ pieces }, row) => {
    const y = row * lineHeight + (lineHeight - size) / 2 + BASELINE * size;
    return pieces.map(({ piece, x }) => toPaths(shaper(piece.text), { x: x * size, y, size })).join('');
  });
  const width = Math.max(0, ...lines.map((line) => line.width)) * size;
  return { svg: svg.join(''), width, height: lines.length * lineHeight };
}

async function set({ family, weight, width, fits, shape, ...block }: Block): Promise<SetBlock> {
  const text = toPlain(block.text);
  const shaper = await createShaper(`${text}…`, family, weight);
  let made: SetBlock = { svg: '', width: 0, height: 0 };
  for (const { size, lineHeight, lines: most } of fits) {
    const measure = width / size;
    const pieces = toPieces(text, shaper, measure);
    const all = shape === 'balanced' ? balanceLines(pieces, measure) : breakLines(pieces, measure);
    const kept = all.length > most ? cutLines(breakLines(pieces, measure), most, measure) : all;
    const isLast = (row: number) => row === all.length - 1 || row === most - 1;
    const lines =
      shape === 'filled' ? kept.map((line, row) => (isLast(row) ? line : stretch(line, measure))) : kept;
    made = draw(lines, shaper, size, lineHeight);
    if (all.length <= most) break;
  }
  return made;
}

// biome-ignore lint/style/noDefaultExport: what the thread pool calls
export default async function setAll(blocks: readonly Block[]): Promise<SetBlock[]> {
  const done: SetBlock[] = [];
  for (const block of blocks) done.push(await set(block));
  return done;
}
