import { readFile } from 'node:fs/promises';
import * as hb from 'harfbuzzjs';
import decompress from 'wawoff2/decompress.js';

export type Family = 'sans' | 'serif';

/** Open fonts that come as packages, since a bare machine has none: many small files, each of some characters. */
const folders: Record<Family, string> = {
  sans: import.meta.resolve('@fontsource-variable/noto-sans-sc/unicode.json'),
  serif: import.meta.resolve('@fontsource-variable/noto-serif-sc/unicode.json'),
};

interface FontSet {
  /** In which file a character is. */
  files: Map<number, string>;
  faces: Map<string, Promise<hb.Face>>;
  /** By file and weight. */
  fonts: Map<string, hb.Font>;
}

const sets = new Map<Family, Promise<FontSet>>();

async function readSet(family: Family): Promise<FontSet> {
  const ranges: Record<string, string> = JSON.parse(await readFile(new URL(folders[family]), 'utf8'));
  const files = new Map<number, string>();
  // Some are in several files: words of Latin letters stay in one.
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

function findSet(family: Family): Promise<FontSet> {
  const found = sets.get(family) ?? readSet(family);
  sets.set(family, found);
  return found;
}

async function readFace(family: Family, file: string): Promise<hb.Face> {
  const packed = await readFile(new URL(`./${file}`, folders[family]));
  return new hb.Face(new hb.Blob(await decompress(packed)));
}

async function findFont(family: Family, set: FontSet, file: string, weight: number): Promise<hb.Font> {
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

/** Characters in a row that one font has. */
interface Run {
  font: hb.Font;
  text: string;
}

/** Words as outlines, in parts of the size of the letters. */
export interface Shape {
  width: number;
  glyphs: { font: hb.Font; id: number; x: number; y: number }[];
}

const NOTHING: Shape = { width: 0, glyphs: [] };

export type Shaper = (text: string) => Shape;

/** A serif that lacks a character borrows it from its sibling. */
const fallbacks: Record<Family, Family[]> = { sans: ['sans'], serif: ['serif', 'sans'] };

/** Stands for a letter that no font has, as printers do it. */
const MISSING = '〓';
const LETTER = /^\p{L}$/u;

/** Fetches what these characters need; signs that no font has take no room and leave no mark. */
export async function createShaper(text: string, family: Family, weight: number): Promise<Shaper> {
  const fonts = new Map<number, hb.Font>();
  const wanted = new Set([...`${text}${MISSING}`].map((char) => char.codePointAt(0) ?? 0));
  for (const each of fallbacks[family]) {
    const set = await findSet(each);
    for (const code of wanted) {
      const file = set.files.get(code);
      if (file === undefined) continue;
      const font = await findFont(each, set, file, weight);
      if (glyphOf(font, String.fromCodePoint(code)) === 0) continue;
      fonts.set(code, font);
      wanted.delete(code);
    }
  }
  const missing = fonts.get(MISSING.codePointAt(0) ?? 0);
  const isLost = (char: string) => LETTER.test(char) && !fonts.has(char.codePointAt(0) ?? 0);
  const replaced = (text: string) =>
    [...text].map((char) => (missing && isLost(char) ? MISSING : char)).join('');
  const known = new Map<string, Shape>();
  return (text) => {
    const shape = known.get(text) ?? join(runsOf(replaced(text), fonts).map(shapeRun));
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

function shapeRun({ font, text }: Run): Shape {
  const { upem } = font.face;
  let width = 0;
  const glyphs = shape(font, text).map(({ codepoint: id, xAdvance, xOffset, yOffset }) => {
    const glyph = { font, id, x: width + (xOffset ?? 0) / upem, y: (yOffset ?? 0) / upem };
    width += (xAdvance ?? 0) / upem;
    return glyph;
  });
  return { width, glyphs };
}

const join = (shapes: Shape[]): Shape =>
  shapes.reduce(
    (all, next) => ({
      width: all.width + next.width,
      glyphs: [...all.glyphs, ...next.glyphs.map((glyph) => ({ ...glyph, x: glyph.x + all.width }))],
    }),
    NOTHING,
  );

const round = (value: number): number => Math.round(value * 100) / 100;

/** At a place on the picture, of a size. */
export function toPaths({ glyphs }: Shape, { x, y, size }: { x: number; y: number; size: number }): string {
  return glyphs
    .map(({ font, id, x: left, y: up }) => {
      const scale = size / font.face.upem;
      const outline = font
        .glyphToPath(id)
        .replace(/\d+(?:\.\d+)?/g, (number) => String(Math.round(Number(number))));
      if (outline === '') return '';
      const place = `${round(x + left * size)} ${round(y - up * size)}`;
      return `<path transform="translate(${place}) scale(${round(scale * 1000) / 1000} ${-round(scale * 1000) / 1000})" d="${outline}"/>`;
    })
    .join('');
}
