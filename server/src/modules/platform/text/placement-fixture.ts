import { parseHtml } from './structure-fixture.ts';
import { type Child, type Element, isBlank, isElement, type Root } from './tree.ts';

const words = (list: string): Set<string> => new Set(list.split(' '));

const BLOCKS = words(
  'p h1 h2 h3 h4 h5 h6 pre hr blockquote ul ol li dl dt dd div section figure figcaption details summary table',
);
const WITHOUT_BLOCKS = words(
  'p h1 h2 h3 h4 h5 h6 pre summary em strong b i u s small sub sup mark kbd samp var q cite abbr code span ruby rt',
);
const CHILDREN: Record<string, Set<string>> = {
  ul: words('li'),
  ol: words('li'),
  dl: words('dt dd'),
  table: words('caption thead tbody tfoot'),
  thead: words('tr'),
  tbody: words('tr'),
  tfoot: words('tr'),
  tr: words('th td'),
};
const PARENTS: Record<string, Set<string>> = {
  li: words('ul ol'),
  dt: words('dl'),
  dd: words('dl'),
  summary: words('details'),
  figcaption: words('figure'),
  rt: words('ruby'),
  rp: words('ruby'),
};

/** For tests: what HTML does not allow where it stands, as `parent > child`. */
export function listMisplaced(html: string): string[] {
  const found: string[] = [];
  function look(parent: Root | Element, name: string): void {
    for (const child of parent.children as Child[]) {
      const own = isElement(child) ? child.tagName : 'text';
      const isWrong =
        (WITHOUT_BLOCKS.has(name) && BLOCKS.has(own)) ||
        (CHILDREN[name] !== undefined && !isBlank(child) && !CHILDREN[name].has(own)) ||
        (PARENTS[own] !== undefined && !PARENTS[own].has(name));
      if (isWrong) found.push(`${name} > ${own}`);
      if (isElement(child)) look(child, own);
    }
  }
  look(parseHtml(html), 'body');
  return found;
}
