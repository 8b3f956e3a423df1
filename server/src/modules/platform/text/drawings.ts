import { createHash } from 'node:crypto';
import { MAX_DRAWING_LENGTH, MAX_DRAWING_SIDE } from '@mozhan/contract/drawing-limits.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import { SaxesParser, type SaxesTagPlain } from 'saxes';

/**
 * Drawings of diagrams come from the writer's browser, so any SVG may arrive. Only the shapes that web/src/diagram
 * creates are accepted; everything else is refused, not removed. The result is written from the parsed values.
 */

/** A diagram as the writer's browser drew it. */
export interface GivenDrawing {
  source: string;
  light: string;
  dark: string;
}

export interface SanitizedDrawing {
  sourceHash: string;
  light: string;
  dark: string;
  width: number;
  height: number;
  /** The text of the drawing, one label per line. */
  text: string;
}

const MAX_ELEMENTS = 4000;
const MAX_DEPTH = 24;
const MAX_MARKERS = 24;
const MAX_MARKER_ELEMENTS = 8;

const NUMBER = '-?(?:\\d{1,5}(?:\\.\\d{0,6})?|\\.\\d{1,6})(?:e-\\d{1,2})?';
const LENGTH = new RegExp(`^${NUMBER}(?:em|%)?$`);
const NUMERIC = new RegExp(`^${NUMBER}$`);
const POSITIVE = /^\d{1,5}(?:\.\d{0,6})?$/;
const COLOUR = /^(?:none|#[0-9a-f]{6})$/;
const OPACITY = /^(?:0|1|0?\.\d{1,6}|1\.0{1,6})$/;
const TRANSFORM = new RegExp(
  `^(?:(?:translate|scale|rotate|matrix)\\( ?${NUMBER}(?:(?:, ?| )${NUMBER}){0,5} ?\\) ?){1,4}$`,
);

/** A regular expression, or several of them. */
interface Pattern {
  test: (value: string) => boolean;
}

const HUGE_NUMBER = /\d{7}|e[^-]/;
const listOf = (characters: RegExp): Pattern => ({
  test: (value) => characters.test(value) && !HUGE_NUMBER.test(value),
});
const PATH = listOf(/^[MmLlHhVvCcSsQqTtAaZz0-9e., -]*$/);
const POINTS = listOf(/^[0-9e., -]*$/);
const VIEW_BOX = new RegExp(`^${NUMBER}(?:(?:, ?| )${NUMBER}){3}$`);
/** Very short dashes on a long line take the reader's browser a long time to draw. */
const DASHES = /^[1-9]\d{0,2}(?: [1-9]\d{0,2}){0,5}$/;
const STROKE_WIDTH = /^\d{1,2}(?:\.\d{0,6})?$/;
const FONT_SIZE = /^(?:[4-9]|[1-9]\d)(?:\.\d{0,6})?$/;
const MARKER_REFERENCE = /^url\(#m\d{1,2}\)$/;
const MARKER_ID = /^m\d{1,2}$/;

type Rules = Record<string, Pattern>;

const paint: Rules = {
  fill: COLOUR,
  'fill-opacity': OPACITY,
  stroke: COLOUR,
  'stroke-width': STROKE_WIDTH,
  'stroke-opacity': OPACITY,
  'stroke-dasharray': DASHES,
  'stroke-linecap': /^round$/,
  'stroke-linejoin': /^round$/,
  opacity: OPACITY,
  transform: TRANSFORM,
};
const ends: Rules = { 'marker-start': MARKER_REFERENCE, 'marker-end': MARKER_REFERENCE };
const text: Rules = {
  ...paint,
  x: LENGTH,
  y: LENGTH,
  dx: LENGTH,
  dy: LENGTH,
  'font-size': FONT_SIZE,
  'font-weight': /^600$/,
  'font-style': /^italic$/,
  'font-family': /^monospace$/,
  'text-anchor': /^(?:middle|end)$/,
  'dominant-baseline': /^(?:middle|central|hanging)$/,
  textLength: POSITIVE,
  lengthAdjust: /^spacingAndGlyphs$/,
};
const numeric = (...names: string[]): Rules => Object.fromEntries(names.map((name) => [name, NUMERIC]));
const positive = (...names: string[]): Rules => Object.fromEntries(names.map((name) => [name, POSITIVE]));

const ELEMENTS: Record<string, Rules> = {
  g: { opacity: OPACITY, transform: TRANSFORM },
  svg: {
    ...numeric('x', 'y'),
    ...positive('width', 'height'),
    viewBox: VIEW_BOX,
    opacity: OPACITY,
    transform: TRANSFORM,
  },
  defs: {},
  marker: {
    id: MARKER_ID,
    viewBox: VIEW_BOX,
    ...numeric('refX', 'refY'),
    ...positive('markerWidth', 'markerHeight'),
    markerUnits: /^(?:userSpaceOnUse|strokeWidth)$/,
    orient: /^(?:auto|auto-start-reverse|-?\d{1,3})$/,
  },
  path: { ...paint, ...ends, d: PATH },
  rect: { ...paint, ...numeric('x', 'y'), ...positive('width', 'height', 'rx', 'ry') },
  circle: { ...paint, ...numeric('cx', 'cy'), ...positive('r') },
  ellipse: { ...paint, ...numeric('cx', 'cy'), ...positive('rx', 'ry') },
  line: { ...paint, ...ends, ...numeric('x1', 'y1', 'x2', 'y2') },
  polygon: { ...paint, points: POINTS },
  polyline: { ...paint, ...ends, points: POINTS },
  text,
  tspan: text,
};
const SHAPES = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polygon', 'polyline']);
const GROUPS = new Set(['g', 'svg']);

const refuse = (): Error => invalidField('drawings', '图表的图形不合要求，没有保存');

const escapeXml = (value: string): string =>
  value.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

function mayContain(parent: string, child: string): boolean {
  if (parent === 'defs') return child === 'marker';
  if (parent === 'marker') return SHAPES.has(child);
  if (parent === 'text' || parent === 'tspan') return child === 'tspan';
  return GROUPS.has(parent) && (SHAPES.has(child) || GROUPS.has(child) || child === 'text');
}

const FONT =
  "'PingFang SC','Noto Sans SC','Source Han Sans SC','Noto Sans CJK SC','Microsoft YaHei',system-ui,sans-serif";

interface ParsedDrawing {
  svg: string;
  width: number;
  height: number;
  labels: string[];
}

/** Characters that hide or reorder text; the zero-width joiner is part of many emoji. */
const INVISIBLE = /[\p{Cc}\p{Co}\p{Cn}]|(?!\u200d)\p{Cf}/u;

function parseDrawing(svg: string): ParsedDrawing {
  if (svg.length > MAX_DRAWING_LENGTH) throw refuse();
  const parser = new SaxesParser();
  const open: string[] = [];
  const labels: string[] = [];
  const markerIds = new Set<string>();
  const references = new Set<string>();
  let size = { width: 0, height: 0 };
  let elements = 0;
  let markerElements = 0;
  let output = '';

  function toAttributes(name: string, attributes: Record<string, string>, rules: Rules): string {
    return Object.entries(attributes)
      .map(([key, value]) => {
        if (!Object.hasOwn(rules, key) || !rules[key]?.test(value)) throw refuse();
        if (rules[key] === MARKER_REFERENCE) {
          // Markers within markers would multiply.
          if (open.includes('marker')) throw refuse();
          references.add(value.slice('url(#'.length, -1));
        }
        if (name === 'marker' && key === 'id') markerIds.add(value);
        return ` ${key}="${value}"`;
      })
      .join('');
  }

  function openRoot({ xmlns, width = '', height = '', viewBox = '', ...more }: Record<string, string>): void {
    const { 'font-family': _, ...others } = more;
    if (Object.keys(others).length > 0 || xmlns !== 'http://www.w3.org/2000/svg') throw refuse();
    if (!/^[1-9]\d{0,4}$/.test(width) || !/^[1-9]\d{0,4}$/.test(height) || !VIEW_BOX.test(viewBox))
      throw refuse();
    size = { width: Number(width), height: Number(height) };
    if (Math.max(size.width, size.height) > MAX_DRAWING_SIDE) throw refuse();
    output += `<svg xmlns="${xmlns}" width="${width}" height="${height}" viewBox="${viewBox}" font-family="${FONT}">`;
  }

  function openElement(name: string, attributes: Record<string, string>): void {
    const parent = open.at(-1) ?? '';
    const isDefs = name === 'defs' && open.length === 1 && elements === 2;
    if (!isDefs && !mayContain(parent, name)) throw refuse();
    const rules = Object.hasOwn(ELEMENTS, name) ? ELEMENTS[name] : undefined;
    if (rules === undefined) throw refuse();
    if (name === 'marker') markerElements = 0;
    else if (parent === 'marker') markerElements += 1;
    if (markerElements > MAX_MARKER_ELEMENTS) throw refuse();
    const written = toAttributes(name, attributes, rules);
    if (name === 'marker' && (attributes.id === undefined || markerIds.size > MAX_MARKERS)) throw refuse();
    output += `<${name}${written}>`;
  }

  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    elements += 1;
    if (elements > MAX_ELEMENTS || open.length >= MAX_DEPTH) throw refuse();
    if (open.length === 0) {
      if (name !== 'svg') throw refuse();
      openRoot(attributes);
    } else openElement(name, attributes);
    if (name === 'text') labels.push('');
    open.push(name);
  });
  parser.on('closetag', ({ name }: SaxesTagPlain) => {
    open.pop();
    output += `</${name}>`;
  });
  parser.on('text', (value) => {
    if (value === '') return;
    const parent = open.at(-1);
    if (parent !== 'text' && parent !== 'tspan') throw refuse();
    if (INVISIBLE.test(value)) throw refuse();
    labels.push((labels.pop() ?? '') + value);
    output += escapeXml(value);
  });
  for (const event of ['doctype', 'processinginstruction', 'comment', 'cdata', 'xmldecl', 'error'] as const)
    parser.on(event, () => {
      throw refuse();
    });
  parser.write(svg).close();
  for (const id of references) if (!markerIds.has(id)) throw refuse();
  return {
    svg: output,
    ...size,
    labels: labels.map((label) => label.trim()).filter((label) => label !== ''),
  };
}

export const hashSource = (source: string): string => createHash('sha256').update(source).digest('hex');

/** Both themes must have the same size and the same text. Call it in the worker only. */
export function sanitizeDrawing({ source, light, dark }: GivenDrawing): SanitizedDrawing {
  const [day, night] = [parseDrawing(light), parseDrawing(dark)];
  const text = day.labels.join('\n');
  if (day.width !== night.width || day.height !== night.height || text !== night.labels.join('\n'))
    throw refuse();
  return {
    sourceHash: hashSource(source),
    light: day.svg,
    dark: night.svg,
    width: day.width,
    height: day.height,
    text,
  };
}
