import { isCard, readCard } from './cards.ts';
import { ommlToTex } from './omml.ts';
import {
  attributeOf,
  type Child,
  createElement,
  createRaw,
  createRawBlock,
  createText,
  type Element,
  findElement,
  firstAttribute,
  hasClass,
  isBlank,
  isElement,
  type Parent,
  setChildren,
  textOf,
} from './tree.ts';

interface Formula {
  tex: string;
  isDisplay: boolean;
}

/** Attributes with TeX of 知乎, 语雀, mdnice, 135 and others. */
const TEX_ATTRIBUTES = ['dataTex', 'dataLatex', 'dataFormula', 'dataEquation', 'dataMathTex', 'alttext'];

const isTexAnnotation = (element: Element): boolean =>
  element.tagName === 'annotation' && /x-tex/i.test(attributeOf(element, 'encoding'));

/** The TeX that KaTeX, MathJax and Wikipedia store beside a drawn formula. */
function annotatedTex(element: Element): string {
  const annotation = findElement(element, isTexAnnotation);
  if (annotation !== undefined) return textOf(annotation);
  const math =
    element.tagName === 'math' ? element : findElement(element, ({ tagName }) => tagName === 'math');
  return math === undefined ? '' : attributeOf(math, 'alttext');
}

function imageTex(image: Element): string {
  const src = attributeOf(image, 'src');
  const isLatexImage =
    src.includes('/__latex/') || hasClass(image, 'ne-math', 'Formula-image', 'ztext-math', 'latex');
  if (isLatexImage && attributeOf(image, 'alt') !== '') return attributeOf(image, 'alt');
  const url = URL.parse(src, 'https://host.invalid');
  return url !== null && /equation|latex/i.test(url.pathname) ? (url.searchParams.get('tex') ?? '') : '';
}

function readFormula(element: Element): Formula | null {
  const { tagName } = element;
  if (isCard(element)) {
    const card = readCard(element);
    const tex = card?.name === 'math' ? String(card.value.code ?? '') : '';
    return tex === '' ? null : { tex, isDisplay: attributeOf(element, 'type') === 'block' };
  }
  if (tagName === 'script') {
    const type = attributeOf(element, 'type');
    return type.startsWith('math/tex')
      ? { tex: textOf(element), isDisplay: /mode=display/.test(type) }
      : null;
  }
  if (tagName === 'm:omathpara') return { tex: ommlToTex(element), isDisplay: true };
  if (tagName === 'm:omath') return { tex: ommlToTex(element), isDisplay: false };
  const isBox =
    tagName === 'math' ||
    tagName === 'mjx-container' ||
    hasClass(element, 'katex', 'katex-display', 'MathJax', 'MathJax_Display', 'mwe-math-element');
  const tex =
    firstAttribute(element, TEX_ATTRIBUTES) ||
    (isBox ? annotatedTex(element) : '') ||
    (tagName === 'img' ? imageTex(element) : '');
  if (tex.trim() === '') return null;
  const isDisplay =
    hasClass(element, 'katex-display', 'MathJax_Display', 'block-equation') ||
    attributeOf(element, 'display') === 'block' ||
    attributeOf(element, 'display') === 'true' ||
    attributeOf(element, 'eeimg') === '2';
  return { tex, isDisplay };
}

/** Wikipedia wraps every formula in `\displaystyle`. */
const cleanTex = (tex: string): string =>
  tex
    .trim()
    .replace(/^\{\\displaystyle\s([\s\S]*)\}$/, '$1')
    .replace(/^\$\$?|\$\$?$/g, '')
    .trim();

const toInline = (tex: string): Child => createRaw(`$${cleanTex(tex).replace(/\s+/g, ' ')}$`);
const toDisplay = (tex: string): Child =>
  createRawBlock(`$$\n${cleanTex(tex).replace(/\n\s*\n/g, '\n')}\n$$`);

const isDrawing = (element: Element): boolean =>
  hasClass(element, 'MathJax_Preview', 'MJX_Assistive_MathML') || element.tagName === 'mjx-assistive-mml';

/** A formula that is alone in its paragraph is a block. */
const PARAGRAPHS = ['p', 'div', 'section', 'center'];

function replaceIn(parent: Parent): void {
  const children = (parent.children as Child[]).flatMap((child): Child[] => {
    if (child.type !== 'element') return [child];
    if (isDrawing(child)) return [];
    const formula = readFormula(child);
    if (formula !== null)
      return formula.isDisplay && !isElement(parent as Child, 'p')
        ? [toDisplay(formula.tex)]
        : [toInline(formula.tex)];
    if (PARAGRAPHS.includes(child.tagName)) {
      const [only, ...others] = (child.children as Child[]).filter((each) => !isBlank(each));
      const inside = isElement(only) && others.length === 0 ? onlyFormula(only) : null;
      if (inside?.isDisplay || (inside && hasClass(child, 'block-equation'))) return [toDisplay(inside.tex)];
    }
    replaceIn(child);
    return [child];
  });
  setChildren(parent, children);
}

/** The formula of an element, or of a chain of elements with one child each. */
function onlyFormula(element: Element): Formula | null {
  const formula = readFormula(element);
  if (formula !== null) return formula;
  const [only, ...others] = (element.children as Child[]).filter((each) => !isBlank(each));
  return isElement(only) && others.length === 0 ? onlyFormula(only) : null;
}

/** Formulas whose TeX is in the markup are written between dollar signs. */
export const convertFormulas = (root: Parent): void => replaceIn(root);

const DOLLARS = /\$\$([^$]{1,2000})\$\$|\$([^$\s](?:[^$\n]{0,500}[^$\s])?)\$(?!\d)/g;

/** Notion writes formulas as text between dollar signs, in which nothing may be escaped. */
export function keepDollarFormulas(parent: Parent): void {
  setChildren(
    parent,
    (parent.children as Child[]).flatMap((child): Child[] => {
      if (isElement(child, 'pre', 'code')) return [child];
      if (child.type === 'element') {
        const [, display] = /^\s*\$\$([^$]{1,2000})\$\$\s*$/.exec(textOf(child)) ?? [];
        if (display !== undefined && PARAGRAPHS.includes(child.tagName)) return [toDisplay(display)];
        keepDollarFormulas(child);
        return [child];
      }
      if (child.type !== 'text' || !child.value.includes('$')) return [child];
      const parts: Child[] = [];
      let end = 0;
      for (const match of child.value.matchAll(DOLLARS)) {
        parts.push(createText(child.value.slice(end, match.index)), toInline(match[1] ?? match[2] ?? ''));
        end = match.index + match[0].length;
      }
      return [...parts, createText(child.value.slice(end))];
    }),
  );
}

/** Word hides the markup of a formula in a conditional comment, and a picture of it follows for other programs. */
export function revealWordFormulas(root: Parent, parse: (markup: string) => Parent): void {
  const visit = (parent: Parent): void => {
    const children = parent.children as Child[];
    setChildren(
      parent,
      children.map((child) => {
        if (child.type === 'element') visit(child);
        if (child.type !== 'comment' || !/^\[if gte msEquation/i.test(child.value)) return child;
        const markup = child.value.replace(/^\[if[^\]]*\]>/, '').replace(/<!\[endif\]$/, '');
        return createElement('span', {}, parse(markup).children as Child[]);
      }),
    );
    if (!parent.children.some((child) => child.type === 'comment' && /^\[if !msEquation/i.test(child.value)))
      return;
    let isHidden = false;
    setChildren(
      parent,
      (parent.children as Child[]).filter((child) => {
        if (child.type === 'comment' && /^\[if !msEquation/i.test(child.value)) isHidden = true;
        if (child.type === 'comment' && /^\[endif/i.test(child.value)) isHidden = false;
        return !isHidden;
      }),
    );
  };
  visit(root);
}
