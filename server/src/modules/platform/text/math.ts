import {
  type Child,
  classesOf,
  createElement,
  createText,
  type Element,
  hasClass,
  isElement,
  textOf,
} from './tree.ts';

export const mathTags: ReadonlySet<string> = new Set([
  ...['math', 'mrow', 'mi', 'mo', 'mn', 'mtext', 'ms', 'mspace', 'mfrac', 'msqrt', 'mroot', 'mstyle'],
  ...['mpadded', 'mphantom', 'msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover', 'mmultiscripts'],
  ...['mprescripts', 'mtable', 'mtr', 'mtd', 'menclose'],
]);
const ATTRIBUTES = new Set([
  ...['display', 'displaystyle', 'scriptlevel', 'mathvariant', 'mathsize', 'mathcolor', 'mathbackground'],
  ...['stretchy', 'fence', 'separator', 'form', 'accent', 'accentunder', 'movablelimits', 'largeop'],
  ...['symmetric', 'minsize', 'maxsize', 'lspace', 'rspace', 'linethickness', 'width', 'height', 'depth'],
  ...['voffset', 'columnspan', 'rowspan'],
]);
const CLASS = /^(tml|chr|wbk)-[\w-]+$|^(upstrike|downstrike|sout)$/;
const VALUE = /^[#\w.%+ -]{0,40}$/;

/** Maps inline styles of Temml to our classes, because the content security policy forbids inline styles. */
const STYLES: [property: string, value: RegExp, className: string][] = [
  ['paddingLeft', /^0/, 'tml-l0'],
  ['paddingLeft', /^1em/, 'tml-l1'],
  ['paddingRight', /^0/, 'tml-r0'],
  ['borderTop', /solid|dashed/, 'tml-bt'],
  ['borderBottom', /solid|dashed/, 'tml-bb'],
  ['borderLeft', /solid|dashed/, 'tml-bl'],
  ['borderRight', /solid|dashed/, 'tml-br'],
  ['border', /solid/, 'tml-box'],
  ['width', /^100%/, 'tml-wide'],
];

interface MathNode {
  type?: string;
  text?: string;
  attributes?: Record<string, unknown>;
  classes?: string[];
  style?: Record<string, string>;
  children?: MathNode[];
}
/** The function exists at runtime under this name, which differs from Temml's types. */
interface Temml {
  __renderToMathMLTree(source: string, options: object): MathNode;
}
type Formula = (source: string, isDisplay: boolean) => MathNode;

let parseFormula: Formula | undefined;

export async function loadMath(): Promise<void> {
  if (parseFormula) return;
  const temml = (await import('temml')).default as unknown as Temml;
  parseFormula = (source, displayMode) =>
    temml.__renderToMathMLTree(source, { displayMode, throwOnError: true, trust: false, maxSize: [20, 50] });
}

function toElement(node: MathNode): Child {
  if (node.text !== undefined) return createText(node.text);
  const style = node.style ?? {};
  const className = [
    ...(node.classes ?? []).filter((name) => CLASS.test(name)),
    ...STYLES.filter(([property, value]) => value.test(style[property] ?? '')).map(([, , name]) => name),
  ];
  const attributes = Object.entries({ mathcolor: style.color, ...node.attributes }).filter(
    ([name, value]) => ATTRIBUTES.has(name) && value !== undefined && VALUE.test(String(value)),
  );
  return createElement(
    mathTags.has(node.type ?? '') ? String(node.type) : 'mrow',
    Object.fromEntries([
      ...(className.length > 0 ? [['className', className]] : []),
      ...attributes.map(([name, value]) => [name, String(value)]),
    ]),
    node.children?.map(toElement) ?? [],
  );
}

function toMath(source: string, isDisplay: boolean): Child {
  try {
    if (!parseFormula) throw new Error('call loadMath first');
    const math = toElement(parseFormula(source, isDisplay));
    // A bare reference does not yield a `math` element, and its target does not exist.
    if (!isElement(math, 'math')) throw new Error('not a formula');
    return math;
  } catch {
    return createElement('code', { className: ['math-error'] }, [createText(source)]);
  }
}

const isInline = (node: Element) => node.tagName === 'code' && hasClass(node, 'math-inline');
const isDisplay = (node: Element) =>
  node.tagName === 'pre' &&
  node.children.length === 1 &&
  isElement(node.children[0], 'code') &&
  classesOf(node.children[0]).includes('language-math');

export const isMath = (node: Element): boolean => isInline(node) || isDisplay(node);

export function renderMath(node: Element): Child[] | undefined {
  const source = textOf(node).trim();
  if (isInline(node)) return [createElement('span', { className: ['math'] }, [toMath(source, false)])];
  if (!isDisplay(node)) return undefined;
  return [createElement('div', { className: ['math', 'math-display'], tabIndex: 0 }, [toMath(source, true)])];
}
