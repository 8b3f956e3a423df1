import rehypeRaw from 'rehype-raw';
import { replaceSections, replaceTags } from '#contract/scan.ts';
import { schema } from './schema.ts';
import { type Child, isElement, type Root } from './tree.ts';

const allowed = new Set(schema.tagNames);
const TAG_NAME = /^<\/?([a-z][^\s/>]*)/i;
const UNSEEN = /<(script|style)\b/gi;
const closeOf = { script: /<\/script\s*>/gi, style: /<\/style\s*>/gi };

const dropUnseen = (html: string): string =>
  replaceSections(html, {
    open: UNSEEN,
    close: ([, given = '']) => {
      const name = given.toLowerCase() === 'script' ? 'script' : 'style';
      return { name, pattern: closeOf[name] };
    },
    replace: () => '',
    unclosed: 'section',
  });

/**
 * Tags that are not on the list never reach the HTML parser: an open `<title>` would swallow what follows. What
 * slips through is the sanitiser's.
 */
const dropTags = (html: string): string =>
  replaceTags(dropUnseen(html), (tag) =>
    allowed.has(TAG_NAME.exec(tag)?.[1]?.toLowerCase() ?? '') ? tag : '',
  );

/** Blocks of one sentence: what is left open in one does not reach the next. */
const SENTENCE = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li'];

const isRaw = (node: Child | Root['children'][number]) => (node.type as string) === 'raw';

/** HTML that people wrote is read as a browser would, with what Markdown made of the rest. */
export function parseHtml() {
  const parse = rehypeRaw();
  return (tree: Root, file: Parameters<typeof parse>[1]) => {
    let hasHtml = false;

    function prepare(children: Child[]): Child[] {
      return children.flatMap((child) => {
        if (isRaw(child)) {
          hasHtml = true;
          return [{ ...child, value: dropTags((child as { value: string }).value) } as Child];
        }
        if (!isElement(child)) return [child];
        child.children = prepare(child.children);
        const isClosed = !SENTENCE.includes(child.tagName) || !child.children.some(isRaw);
        return isClosed ? [child] : (parse({ type: 'root', children: [child] }, file) as Root).children;
      }) as Child[];
    }
    tree.children = prepare(tree.children as Child[]);
    return hasHtml ? parse(tree, file) : tree;
  };
}
