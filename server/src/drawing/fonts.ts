import { readFile } from 'node:fs/promises';
import * as hb from 'harfbuzzjs';
import decompress from 'wawoff2/decompress.js';

export type FontFamily = 'sans' | 'serif';

/** Font packages, since a bare machine has no fonts. Each font is split into many files by character range. */
const folders: Record<FontFamily, string> = {
  sans: import.meta.resolve('@fontsource-variable/noto-sans-sc/unicode.json'),
  serif: import.meta.resolve('@fontsource-variable/noto-serif-sc/unicode.json'),
};

interface FontSet {
  files: Map<number, string>;
  faces: Map<string, Promise<hb.Face>>;
  fonts: Map<string, hb.Font>;
}

const sets = new Map<FontFamily, Promise<FontSet>>();

async function readSet(family: FontFamily): Promise<FontSet> {
  const ranges: Record<string, string> = JSON.parse(await readFile(new URL(folders[family]), 'utf8'));
  const files = new Map<number, string>();
  // Some characters are in several files; the Latin file comes first, so that Latin words use one font.
  const names = Object.keys(ranges).sort((a, b) => Number(b === 'latin') - Number(a === 'latin'));
  for (const name of names) {
    const file = `files/noto-${family}-sc-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`;
    for (const range of (ranges[name] ?? '').split(',')) {
      const [from = 0, to = from] = range
        .replace(/^U\+/i, '')
        .split('-')
        .map((code) => Number.parseInt(code, 16));
      for (let code = from; code <= to; code += 1) if (!files.has(code)) files.set(code, file);
    }
  }
  return { files, faces: new Map(), fonts: new Map() };
}

function findSet(family: FontFamily): Promise<FontSet> {
  const found = sets.get(family) ?? readSet(family);
  sets.set(family, found);
  return found;
}

async function readFace(family: FontFamily, file: string): Promise<hb.Face> {
  const packed = await readFile(new URL(`./${file}`, folders[family]));
  return new hb.Face(new hb.Blob(await decompress(packed)));
}

async function findFont(family: FontFamily, set: FontSet, file: string, weight: number): Promise<hb.Font> {
  const face = set.faces.get(file) ?? readFace(family, file);
  set.faces.set(file, face);
  const key = `${file} ${weight}`;
  const known = set.fonts.get(key);
  if (known !== undefined) return known;
  const font = new hb.Font(await face);
  font.setVariations([new hb.Variation('wght', weight)]);
  set.fonts.set(key, font);
  return font;
}

interface Run {
  font: hb.Font;
  text: string;
}

/** Positioned glyphs of a text, in units of the font size. */
export interface ShapedText {
  width: number;
  glyphs: { font: hb.Font; id: number; x: number; y: number }[];
}

const NOTHING: ShapedText = { width: 0, glyphs: [] };

export type Shaper = (text: string) => ShapedText;

/** A character that the serif font lacks is taken from the sans font. */
const fallbacks: Record<FontFamily, FontFamily[]> = { sans: ['sans'], serif: ['serif', 'sans'] };

const MISSING_CHAR = '〓';
const LETTER = /^\p{L}$/u;

/** Loads the fonts for these characters; symbols that no font has are omitted. */
export async function createShaper(text: string, family: FontFamily, weight: number): Promise<Shaper> {
  const fonts = new Map<number, hb.Font>();
  const unresolved = new Set([...`${text}${MISSING_CHAR}`].map((char) => char.codePointAt(0) ?? 0));
  for (const each of fallbacks[family]) {
    const set = await findSet(each);
    for (const code of unresolved) {
      const file = set.files.get(code);
      if (file === undefined) continue;
      const font = await findFont(each, set, file, weight);
      if (glyphOf(font, String.fromCodePoint(code)) === 0) continue;
      fonts.set(code, font);
      unresolved.delete(code);
    }
  }
  const missing = fonts.get(MISSING_CHAR.codePointAt(0) ?? 0);
  const isMissing = (char: string) => LETTER.test(char) && !fonts.has(char.codePointAt(0) ?? 0);
  const replaced = (text: string) =>
    [...text].map((char) => (missing && isMissing(char) ? MISSING_CHAR : char)).join('');
  const known = new Map<string, ShapedText>();
  return (text) => {
    const shape = known.get(text) ?? joinShapes(runsOf(replaced(text), fonts).map(shapeRun));
    known.set(text, shape);
    return shape;
  };
}

function runsOf(text: string, fonts: Map<number, hb.Font>): Run[] {
  const runs: Run[] = [];
  for (const char of text) {
    const font = fonts.get(char.codePointAt(0) ?? 0);
    const last = runs.at(-1);
    if (font === undefined) continue;
    if (last?.font === font) last.text += char;
    else runs.push({ font, text: char });
  }
  return runs;
}

function shape(font: hb.Font, text: string) {
  const buffer = new hb.Buffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  hb.shape(font, buffer);
  return buffer.getGlyphInfosAndPositions();
}

const glyphOf = (font: hb.Font, char: string): number => shape(font, char)[0]?.codepoint ?? 0;

function shapeRun({ font, text }: Run): ShapedText {
  const { upem } = font.face;
  let width = 0;
  const glyphs = shape(font, text).map(({ codepoint: id, xAdvance, xOffset, yOffset }) => {
    const glyph = { font, id, x: width + (xOffset ?? 0) / upem, y: (yOffset ?? 0) / upem };
    width += (xAdvance ?? 0) / upem;
    return glyph;
  });
  return { width, glyphs };
}

const joinShapes = (shapes: ShapedText[]): ShapedText =>
  shapes.reduce(
    (all, next) => ({
      width: all.width + next.width,
      glyphs: [...all.glyphs, ...next.glyphs.map((glyph) => ({ ...glyph, x: glyph.x + all.width }))],
    }),
    NOTHING,
  );

const round = (value: number): number => Math.round(value * 100) / 100;

export function toPaths(
  { glyphs }: ShapedText,
  { x, y, size }: { x: number; y: number; size: number },
): string {
  return glyphs
    .map(({ font, id, x: left, y: up }) => {
      const scale = size / font.face.upem;
      const outline = font
        .glyphToPath(id)
        .replace(/\d+(?:\.\d+)?/g, (number) => String(Math.round(Number(number))));
      if (outline === '') return '';
      const position = `${round(x + left * size)} ${round(y - up * size)}`;
      return `<path transform="translate(${position}) scale(${round(scale * 1000) / 1000} ${-round(scale * 1000) / 1000})" d="${outline}"/>`;
    })
    .join('');
}
