/**
 * Converts a drawing of Mermaid to plain shapes and text with colours as attributes: no stylesheet, class, HTML, link,
 * filter or gradient. The server accepts only this form (platform/text/drawings.ts).
 */
import { FONT } from './theme.ts';

const GEOMETRY: Record<string, readonly string[]> = {
  path: ['d'],
  rect: ['x', 'y', 'width', 'height', 'rx', 'ry'],
  circle: ['cx', 'cy', 'r'],
  ellipse: ['cx', 'cy', 'rx', 'ry'],
  line: ['x1', 'y1', 'x2', 'y2'],
  polygon: ['points'],
  polyline: ['points'],
};
const MARKER = ['viewBox', 'refX', 'refY', 'markerWidth', 'markerHeight', 'markerUnits', 'orient'];
const POSITION = ['x', 'y', 'dx', 'dy'];
const GROUPS = new Set(['g', 'a', 'switch']);
const MARKERS = [
  ['marker-start', 'markerStart'],
  ['marker-end', 'markerEnd'],
] as const;

export interface FlatDrawing {
  svg: string;
  width: number;
  height: number;
}

export interface FlattenOptions {
  background: string;
  padding: number;
}

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Two decimals are finer than a pixel of any screen. */
const roundNumbers = (value: string): string => value.replace(/(\.\d\d)\d+/g, '$1');

const toXml = (name: string, attributes: Record<string, string>, content = ''): string => {
  const list = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join('');
  return content === '' ? `<${name}${list}/>` : `<${name}${list}>${content}</${name}>`;
};

const brush = document.createElement('canvas').getContext('2d');

/** Returns a hex colour and its opacity, or null for none. Gradients and patterns become the text colour. */
function parsePaint(paint: string, fallback: string): { colour: string; opacity: number } | null {
  if (paint === 'none' || paint === '' || brush === null) return null;
  brush.fillStyle = '#000000';
  brush.fillStyle = paint.startsWith('url(') || paint.startsWith('context-') ? fallback : paint;
  const normalized = String(brush.fillStyle);
  if (normalized.startsWith('#')) return { colour: normalized, opacity: 1 };
  const [red = 0, green = 0, blue = 0, opacity = 1] = (normalized.match(/[\d.]+/g) ?? []).map(Number);
  if (opacity === 0) return null;
  const hex = [red, green, blue].map((value) => Math.round(value).toString(16).padStart(2, '0')).join('');
  return { colour: `#${hex}`, opacity };
}

const toOpacity = (value: number): string => String(Math.round(value * 100) / 100);

function paintAttributes(style: CSSStyleDeclaration): Record<string, string> {
  const fill = parsePaint(style.fill, style.color);
  const stroke = parsePaint(style.stroke, style.color);
  const strokeWidth = Number.parseFloat(style.strokeWidth);
  const result: Record<string, string> = { fill: fill?.colour ?? 'none' };
  const fillOpacity = (fill?.opacity ?? 1) * Number(style.fillOpacity);
  if (fill !== null && fillOpacity < 1) result['fill-opacity'] = toOpacity(fillOpacity);
  if (stroke === null || !(strokeWidth > 0)) return result;
  result.stroke = stroke.colour;
  result['stroke-width'] = roundNumbers(String(strokeWidth));
  const strokeOpacity = stroke.opacity * Number(style.strokeOpacity);
  if (strokeOpacity < 1) result['stroke-opacity'] = toOpacity(strokeOpacity);
  const dashes = (style.strokeDasharray.match(/[\d.]+/g) ?? []).map(Number);
  // Dashes below one pixel are invisible, and the server refuses them.
  if (dashes.length > 0 && dashes.length <= 6 && dashes.some((dash) => dash > 0))
    result['stroke-dasharray'] = dashes.map((dash) => Math.max(1, Math.round(dash))).join(' ');
  for (const [name, value] of [
    ['stroke-linecap', style.strokeLinecap],
    ['stroke-linejoin', style.strokeLinejoin],
  ] as const)
    if (value === 'round') result[name] = value;
  return result;
}

function fontAttributes(style: CSSStyleDeclaration): Record<string, string> {
  const result: Record<string, string> = {
    'font-size': roundNumbers(String(Number.parseFloat(style.fontSize))),
  };
  if (Number(style.fontWeight) >= 600) result['font-weight'] = '600';
  if (style.fontStyle === 'italic') result['font-style'] = 'italic';
  if (/mono|courier/i.test(style.fontFamily)) result['font-family'] = 'monospace';
  if (style.textAnchor !== 'start') result['text-anchor'] = style.textAnchor;
  if (['middle', 'central', 'hanging'].includes(style.dominantBaseline))
    result['dominant-baseline'] = style.dominantBaseline;
  return result;
}

const pick = (element: Element, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = element.getAttribute(name)?.trim() ?? '';
      return value === '' || value.includes('NaN')
        ? []
        : [
            [
              name,
              roundNumbers(value)
                .replace(/(\d)px/g, '$1')
                .replace(/\s+/g, ' '),
            ],
          ];
    }),
  );

function commonAttributes(element: Element, style: CSSStyleDeclaration): Record<string, string> {
  const opacity = Number(style.opacity);
  return { ...pick(element, ['transform']), ...(opacity < 1 ? { opacity: toOpacity(opacity) } : {}) };
}

/** Rounded corners may come from a stylesheet. */
function cornerAttributes(element: Element, style: CSSStyleDeclaration): Record<string, string> {
  const radius = element.localName === 'rect' ? Number.parseFloat(style.rx) : 0;
  return radius > 0 ? { rx: roundNumbers(String(radius)) } : {};
}

const isHidden = (style: CSSStyleDeclaration): boolean =>
  style.display === 'none' || style.visibility === 'hidden' || Number(style.opacity) === 0;

/** Mermaid leaves rectangles without a size behind labels. */
const isEmpty = (element: Element): boolean =>
  element instanceof SVGRectElement &&
  (element.width.baseVal.value === 0 || element.height.baseVal.value === 0);

const hasPosition = (element: Element): boolean => POSITION.some((name) => element.hasAttribute(name));

/** Text whose parts have the same style and position is one run. */
function isRun(element: Element): boolean {
  const parts = [...element.querySelectorAll('tspan')];
  const hasOwnText = [...element.childNodes].some(
    (child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim() !== '',
  );
  const styles = [
    ...(hasOwnText ? [element] : []),
    ...parts.filter((part) => part.children.length === 0),
  ].map((part) => {
    const { fontWeight, fontStyle, fill, stroke } = getComputedStyle(part);
    return [fontWeight, fontStyle, fill, stroke].join();
  });
  return !parts.some(hasPosition) && new Set(styles).size <= 1;
}

/** The length keeps a label within its box when the reader has other fonts than the writer. */
function runAttributes(element: SVGTextContentElement): Record<string, string> {
  const length = element.getComputedTextLength();
  return length > 0 ? { textLength: roundNumbers(String(length)), lengthAdjust: 'spacingAndGlyphs' } : {};
}

/** Colours are set on runs only, because a run would inherit the stroke of the element around it. */
function flattenText(element: SVGTextContentElement): string {
  const style = getComputedStyle(element);
  const text = element.textContent.replace(/\s+/g, ' ').trim();
  if (isHidden(style) || text === '') return '';
  const name = element.localName === 'text' ? 'text' : 'tspan';
  const own = {
    ...pick(element, POSITION),
    ...commonAttributes(element, style),
    ...fontAttributes(style),
  };
  if (isRun(element)) {
    const leaf = [...element.querySelectorAll('tspan')].find((part) => part.children.length === 0) ?? element;
    const leafStyle = getComputedStyle(leaf);
    const attributes = { ...own, ...fontAttributes(leafStyle), ...paintAttributes(leafStyle) };
    return toXml(name, { ...attributes, ...runAttributes(element) }, escapeXml(text));
  }
  const parts = [...element.childNodes].map((child) => {
    if (child instanceof SVGTextContentElement) return flattenText(child);
    const words = child.nodeType === Node.TEXT_NODE ? (child.textContent ?? '').replace(/\s+/g, ' ') : '';
    return words.trim() === '' ? words : toXml('tspan', paintAttributes(style), escapeXml(words));
  });
  return toXml(name, own, parts.join(''));
}

/** Text of HTML labels, one element per line as the browser has broken it. */
function flattenHtml(element: SVGForeignObjectElement): string {
  const { left, top } = element.getBoundingClientRect();
  const [x = 0, y = 0] = ['x', 'y'].map((name) => Number(element.getAttribute(name)) || 0);
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let result = '';
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const style = node.parentElement === null ? null : getComputedStyle(node.parentElement);
    const text = node.textContent ?? '';
    if (style === null || isHidden(style) || text.trim() === '') continue;
    const lines: { text: string; box: DOMRect; right: number }[] = [];
    for (let at = 0; at < text.length; at += 1) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const box = range.getBoundingClientRect();
      if (box.width === 0) continue;
      const line = lines.at(-1);
      if (line === undefined || Math.abs(line.box.top - box.top) > 2)
        lines.push({ text: text[at] ?? '', box, right: box.right });
      else {
        line.text += text[at] ?? '';
        line.right = box.right;
      }
    }
    const ink = parsePaint(style.color, style.color);
    const { 'text-anchor': _, 'dominant-baseline': __, ...font } = fontAttributes(style);
    for (const { text: words, box, right } of lines) {
      if (words.trim() === '') continue;
      const position = {
        x: (x + box.left - left).toFixed(1),
        y: (y + box.top - top + box.height / 2).toFixed(1),
        textLength: (right - box.left).toFixed(1),
      };
      result += toXml(
        'text',
        {
          ...position,
          lengthAdjust: 'spacingAndGlyphs',
          'dominant-baseline': 'central',
          ...font,
          fill: ink?.colour ?? 'none',
        },
        escapeXml(words.trim()),
      );
    }
  }
  return result;
}

/** Returns the drawing with its background; it must be in the document at its natural size. */
export function flatten(root: SVGSVGElement, { background, padding }: FlattenOptions): FlatDrawing {
  const markers = new Map<string, { id: string; xml: string }>();

  function markerId(reference: string): string | undefined {
    const name = /#([^"')]+)/.exec(reference)?.[1];
    if (name === undefined) return undefined;
    const known = markers.get(name);
    if (known !== undefined) return known.id;
    const marker = document.getElementById(name);
    if (marker?.localName !== 'marker') return undefined;
    const id = `m${markers.size + 1}`;
    const shapes = [...marker.querySelectorAll('*')].map((shape) => flattenShape(shape, false)).join('');
    markers.set(name, { id, xml: toXml('marker', { id, ...pick(marker, MARKER) }, shapes) });
    return id;
  }

  function flattenShape(element: Element, withMarkers = true): string {
    const names = GEOMETRY[element.localName];
    const style = getComputedStyle(element);
    if (names === undefined || isHidden(style) || isEmpty(element)) return '';
    const paint = paintAttributes(style);
    const ends = Object.fromEntries(
      MARKERS.flatMap(([name, property]) => {
        const id = withMarkers ? markerId(style[property]) : undefined;
        return id === undefined ? [] : [[name, `url(#${id})`]];
      }),
    );
    if (paint.fill === 'none' && paint.stroke === undefined) return '';
    return toXml(element.localName, {
      ...pick(element, names),
      ...cornerAttributes(element, style),
      ...commonAttributes(element, style),
      ...paint,
      ...ends,
    });
  }

  function flattenNode(element: Element): string {
    if (element instanceof SVGForeignObjectElement) return flattenHtml(element);
    if (element.localName === 'text') return flattenText(element as SVGTextContentElement);
    if (element.localName in GEOMETRY) return flattenShape(element);
    if (!GROUPS.has(element.localName) && !(element instanceof SVGSVGElement)) return '';
    const style = getComputedStyle(element);
    if (isHidden(style)) return '';
    const content = [...element.children].map(flattenNode).join('');
    if (content === '') return '';
    const common = commonAttributes(element, style);
    if (element instanceof SVGSVGElement)
      return toXml('svg', { ...pick(element, ['x', 'y', 'width', 'height', 'viewBox']), ...common }, content);
    return Object.keys(common).length === 0 ? content : toXml('g', common, content);
  }

  const view = root.viewBox.baseVal;
  const box = view.width > 0 && view.height > 0 ? view : root.getBBox();
  const width = Math.ceil(box.width + 2 * padding);
  const height = Math.ceil(box.height + 2 * padding);
  const x = roundNumbers(String(box.x - padding));
  const y = roundNumbers(String(box.y - padding));
  const content = [...root.children].map(flattenNode).join('');
  if (content === '') throw new Error('nothing was drawn');
  const size = { width: String(width), height: String(height) };
  const paper = toXml('rect', { x, y, ...size, fill: background });
  const defs = [...markers.values()].map(({ xml }) => xml).join('');
  const svg = toXml(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      ...size,
      viewBox: `${x} ${y} ${width} ${height}`,
      'font-family': FONT,
    },
    (defs === '' ? '' : `<defs>${defs}</defs>`) + paper + content,
  );
  return { svg, width, height };
}
