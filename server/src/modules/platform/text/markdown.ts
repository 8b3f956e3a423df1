import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { remarkDollarMath } from './dollar-math.ts';

const parser = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkMath, { singleDollarTextMath: false })
  .use(remarkDollarMath)
  .freeze();

export type MarkdownRoot = ReturnType<typeof parser.parse>;
export type MarkdownNode = MarkdownRoot | NestedNode<MarkdownRoot['children'][number]>;
type NestedNode<Node> = Node extends { children: (infer Child)[] } ? Node | Child : Node;

/** `$$…$$` in a line of its own stands by itself, as if its dollars had lines of their own. */
function raiseFormulas(parent: MarkdownNode, source: string): void {
  if (!('children' in parent)) return;
  for (const child of parent.children) {
    const [only, ...others] = child.type === 'paragraph' ? child.children : [];
    const isRaised =
      others.length === 0 &&
      only?.type === 'inlineMath' &&
      source.startsWith('$$', only.position?.start.offset ?? source.length);
    if (!isRaised) raiseFormulas(child, source);
    else if (only.data?.hProperties) {
      child.data = { hName: 'pre' };
      only.data.hProperties.className = ['language-math', 'math-display'];
    }
  }
}

export function parseMarkdown(markdown: string): MarkdownRoot {
  // A lone half of a surrogate pair is no text that a database or an address could hold.
  const source = markdown.toWellFormed();
  const tree = parser.parse(source);
  raiseFormulas(tree, source);
  return tree;
}
