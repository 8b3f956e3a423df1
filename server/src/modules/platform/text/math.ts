import { type Child, classesOf, type Element, element, hasClass, isElement, text, textOf } from './tree.ts';

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

/** The styles that Temml writes, as the classes of ours that say the same: the content policy forbids the first. */
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
/** The tree behind its `renderToString`, which its types know by another name. */
interface Temml {
  __renderToMathMLTree(source: string, options: object): MathNode;
}
type Formula = (source: string, isDisplay: boolean) => MathNode;

let formula: Formula | undefined;

/** Loaded with the first formula. */
export async function loadMath(): Promise<void> {
  if (formula) return;
  const temml = (await import('temml')).default as unknown as Temml;
  formula = (source, displayMode) =>
    temml.__renderToMathMLTree(source, { displayMode, throwOnError: true, trust: false, maxSize: [20, 50] });
}

function toElement(node: MathNode): Child {
  if (node.text !== undefined) return text(node.text);
  const style = node.style ?? {};
  const className = [
    ...(node.classes ?? []).filter((name) => CLASS.test(name)),
    ...STYLES.filter(([property, value]) => value.test(style[property] ?? '')).map(([, , name]) => name),
  ];
  const attributes = Object.entries({ mathcolor: style.color, ...node.attributes }).filter(
    ([name, value]) => ATTRIBUTES.has(name) && value !== undefined && VALUE.test(String(value)),
  );
  return element(
    mathTags.has(node.type ?? '') ? String(node.type) : 'mrow',
    Object.fromEntries([
      ...(className.length > 0 ? [['className', className]] : []),
      ...attributes.map(([name, value]) => [name, String(value)]),
    ]),
    node.children?.map(toElement) ?? [],
  );
}

/** A formula that cannot be read is shown as it was written. */
function toMath(source: string, isDisplay: boolean): Child {
  try {
    if (!formula) throw new Error('load the formulas first');
    const math = toElement(formula(source, isDisplay));
    // A reference alone is no formula, and leads nowhere.
    if (!isElement(math, 'math')) throw new Error('not a formula');
    return math;
  } catch {
    return element('code', { className: ['math-error'] }, [text(source)]);
  }
}

const isInline = (node: Element) => node.tagName === 'code' && hasClass(node, 'math-inline');
const isDisplay = (node: Element) =>
  node.tagName === 'pre' &&
  node.children.length === 1 &&
  isElement(node.children[0], 'code') &&
  classesOf(node.children[0]).includes('language-math');

export const isMath = (node: Element): boolean => isInline(node) || isDisplay(node);

export function layOutMath(node: Element): Child[] | undefined {
  const source = textOf(node).trim();
  if (isInline(node)) return [element('span', { className: ['math'] }, [toMath(source, false)])];
  if (!isDisplay(node)) return undefined;
  return [element('div', { className: ['math', 'math-display'], tabIndex: 0 }, [toMath(source, true)])];
}
