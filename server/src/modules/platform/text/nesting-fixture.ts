import { parseHtml } from './structure-fixture.ts';
import { type Child, type Element, isBlank, isElement, type Root } from './tree.ts';

const splitNames = (list: string): Set<string> => new Set(list.split(' '));

const BLOCKS = splitNames(
  'p h1 h2 h3 h4 h5 h6 pre hr blockquote ul ol li dl dt dd div section figure figcaption details summary table',
);
const WITHOUT_BLOCKS = splitNames(
  'p h1 h2 h3 h4 h5 h6 pre summary em strong b i u s small sub sup mark kbd samp var q cite abbr code span ruby rt',
);
const CHILDREN: Record<string, Set<string>> = {
  ul: splitNames('li'),
  ol: splitNames('li'),
  dl: splitNames('dt dd'),
  table: splitNames('caption thead tbody tfoot'),
  thead: splitNames('tr'),
  tbody: splitNames('tr'),
  tfoot: splitNames('tr'),
  tr: splitNames('th td'),
};
const PARENTS: Record<string, Set<string>> = {
  li: splitNames('ul ol'),
  dt: splitNames('dl'),
  dd: splitNames('dl'),
  summary: splitNames('details'),
  figcaption: splitNames('figure'),
  rt: splitNames('ruby'),
  rp: splitNames('ruby'),
};

/** Lists nestings that HTML does not allow, as `parent > child`. */
export function listInvalidNestings(html: string): string[] {
  const found: string[] = [];
  function visit(parent: Root | Element, name: string): void {
    for (const child of parent.children as Child[]) {
      const own = isElement(child) ? child.tagName : 'text';
      const isWrong =
        (WITHOUT_BLOCKS.has(name) && BLOCKS.has(own)) ||
        (CHILDREN[name] !== undefined && !isBlank(child) && !CHILDREN[name].has(own)) ||
        (PARENTS[own] !== undefined && !PARENTS[own].has(name));
      if (isWrong) found.push(`${name} > ${own}`);
      if (isElement(child)) visit(child, own);
    }
  }
  visit(parseHtml(html), 'body');
  return found;
}
