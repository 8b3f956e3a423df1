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

/** Renders a paragraph that consists only of `$$…$$` as display math. */
function promoteDisplayMath(parent: MarkdownNode, source: string): void {
  if (!('children' in parent)) return;
  for (const child of parent.children) {
    const [only, ...others] = child.type === 'paragraph' ? child.children : [];
    const isDisplayMath =
      others.length === 0 &&
      only?.type === 'inlineMath' &&
      source.startsWith('$$', only.position?.start.offset ?? source.length);
    if (!isDisplayMath) promoteDisplayMath(child, source);
    else if (only.data?.hProperties) {
      child.data = { hName: 'pre' };
      only.data.hProperties.className = ['language-math', 'math-display'];
    }
  }
}

export function parseMarkdown(markdown: string): MarkdownRoot {
  // Neither the database nor URLs can represent a lone surrogate.
  const source = markdown.toWellFormed();
  const tree = parser.parse(source);
  promoteDisplayMath(tree, source);
  return tree;
}
