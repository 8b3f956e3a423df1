import { attributeOf, type Child, type Element, isElement, type Parent, textOf } from './tree.ts';

const nary: Record<string, string> = {
  '∑': '\\sum',
  '∏': '\\prod',
  '∫': '\\int',
  '∬': '\\iint',
  '∮': '\\oint',
};
const accents: Record<string, string> = {
  '\u0302': '\\hat',
  '\u0305': '\\bar',
  '\u20d7': '\\vec',
  '\u0303': '\\tilde',
  '\u0307': '\\dot',
};
const functions =
  /^(?:sin|cos|tan|cot|sec|csc|log|ln|lim|max|min|exp|det|gcd|arcsin|arccos|arctan|sinh|cosh|tanh)$/;

const partOf = ({ children }: Parent, name: string): Element | undefined => {
  const found = (children as Child[]).find((child) => isElement(child, `m:${name}`));
  return isElement(found) ? found : undefined;
};

/** A property of the element, such as the character of `m:nary`. */
function propertyOf(element: Element, name: string): string | undefined {
  const properties = partOf(element, `${element.tagName.slice(2)}pr`);
  const found = properties && partOf(properties, name);
  return found && attributeOf(found, 'm:val');
}

const group = (tex: string): string => `{${tex}}`;

function toTex(element: Element): string {
  const part = (name: string): string => {
    const found = partOf(element, name);
    return found === undefined ? '' : childrenToTex(found);
  };
  switch (element.tagName) {
    case 'm:r': {
      const text = element.children
        .filter((child) => isElement(child, 'm:t'))
        .map(textOf)
        .join('');
      return functions.test(text.trim()) ? `\\${text.trim()} ` : text;
    }
    case 'm:f':
      return `\\frac${group(part('num'))}${group(part('den'))}`;
    case 'm:ssup':
      return `${group(part('e'))}^${group(part('sup'))}`;
    case 'm:ssub':
      return `${group(part('e'))}_${group(part('sub'))}`;
    case 'm:ssubsup':
      return `${group(part('e'))}_${group(part('sub'))}^${group(part('sup'))}`;
    case 'm:rad': {
      const degree = part('deg');
      return `\\sqrt${degree === '' ? '' : `[${degree}]`}${group(part('e'))}`;
    }
    case 'm:nary': {
      const sign = propertyOf(element, 'chr') ?? '∫';
      const [low, high] = [part('sub'), part('sup')];
      return `${nary[sign] ?? sign}${low && `_${group(low)}`}${high && `^${group(high)}`} ${part('e')}`;
    }
    case 'm:d': {
      const [open, close] = [propertyOf(element, 'begchr') ?? '(', propertyOf(element, 'endchr') ?? ')'];
      const inside = element.children
        .filter((child) => isElement(child, 'm:e'))
        .map((child) => childrenToTex(child as Element));
      const bracket = (mark: string) => (mark === '' ? '.' : /[{}]/.test(mark) ? `\\${mark}` : mark);
      return `\\left${bracket(open)} ${inside.join(', ')} \\right${bracket(close)}`;
    }
    case 'm:acc':
      return `${accents[propertyOf(element, 'chr') ?? '\u0302'] ?? '\\hat'}${group(part('e'))}`;
    case 'm:bar':
      return `\\overline${group(part('e'))}`;
    case 'm:limlow':
      return `${part('e')}_${group(part('lim'))}`;
    case 'm:func':
      return `${part('fname')}${part('e')}`;
    case 'm:m': {
      const rows = element.children
        .filter((child): child is Element => isElement(child, 'm:mr'))
        .map((row) =>
          row.children
            .filter((child) => isElement(child, 'm:e'))
            .map((child) => childrenToTex(child as Element))
            .join(' & '),
        );
      return `\\begin{matrix} ${rows.join(' \\\\ ')} \\end{matrix}`;
    }
    default:
      return /pr$/.test(element.tagName) ? '' : childrenToTex(element);
  }
}

const childrenToTex = ({ children }: Parent): string =>
  children.map((child) => (child.type === 'element' ? toTex(child) : '')).join('');

/** Converts the formulas of Word (Office Math Markup) to TeX. */
export const ommlToTex = (omml: Parent): string =>
  childrenToTex(omml)
    .replace(/[ \t\r\n]+/g, ' ')
    .trim();

/** HTML parsers ignore the slash of `<m:deg/>`, so the tag is closed by a second one. */
export const closeEmptyTags = (markup: string): string =>
  markup.replace(/<(m:\w{1,20})(\s[^<>]{0,200}?)?\/>/g, '<$1$2></$1>');
