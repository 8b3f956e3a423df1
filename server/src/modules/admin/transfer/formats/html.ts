import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { tree } from '../../../platform/text/index.ts';

const { classesOf, element, elementsOf, hasClass, isElement, replaceElements, text, textOf } = tree;

const DROPPED = 'style noscript template button input select object svg link meta'.split(' ');
const ACTIVE = ['script', 'form'];
/** What is shown from elsewhere, or cannot be in a text of ours. */
const FRAMES: Record<string, string> = {
  iframe: '嵌入的内容',
  embed: '嵌入的内容',
  video: '视频',
  audio: '音频',
};

const linkTo = (href: string, words: string): tree.Element =>
  element('p', {}, [element('a', { href }, [text(words)])]);

/** The address of what a frame shows. */
function sourceOf(node: tree.Element): string {
  const source = [node, ...elementsOf(node)].find(({ properties }) => typeof properties.src === 'string');
  return String(source?.properties.src ?? '').replace(/^\/\//, 'https://');
}

/** `<pre class="brush: js">`, `<pre class="lang:js">`, `<pre lang="js">` and the like: the language where Markdown has it. */
function nameLanguage(pre: tree.Element): void {
  const [first] = pre.children;
  const code = isElement(first, 'code') ? first : null;
  const classes = [...classesOf(pre), ...(code === null ? [] : classesOf(code))].join(' ');
  const language =
    /\b(?:language|lang|brush)[-:]\s*([\w+#-]+)/.exec(classes)?.[1] ??
    (typeof pre.properties.lang === 'string' ? pre.properties.lang : undefined);
  const properties = language === undefined ? {} : { className: [`language-${language}`] };
  pre.children = [element('code', properties, code === null ? pre.children : code.children)];
}

/** A card of a link, with picture and publisher, as a plain link. */
function bookmarkOf(card: tree.Element): tree.Element[] {
  const inside = elementsOf(card);
  const href = inside.find((each) => each.tagName === 'a')?.properties.href;
  const title = inside.find((each) => hasClass(each, 'kg-bookmark-title'));
  if (typeof href !== 'string') return [];
  return [linkTo(href, (title === undefined ? '' : textOf(title).trim()) || href)];
}

function clean(root: tree.Root, notes: Set<string>): void {
  replaceElements(root, (node) => {
    const words = FRAMES[node.tagName];
    if (words !== undefined) {
      const source = sourceOf(node);
      const isLink = /^https?:/.test(source);
      notes.add(isLink ? `${words}改成了链接` : `${words}没有导入`);
      return isLink ? [linkTo(source, words)] : [];
    }
    if (ACTIVE.includes(node.tagName)) {
      notes.add('去掉了脚本或表单');
      return [];
    }
    if (DROPPED.includes(node.tagName)) return [];
    if (hasClass(node, 'kg-bookmark-card')) return bookmarkOf(node);
    if (node.tagName === 'pre') nameLanguage(node);
    return undefined;
  });
}

const parser = unified().use(rehypeParse, { fragment: true }).freeze();
const converter = unified().use(rehypeRemark).freeze();
const writer = unified()
  .use(remarkGfm)
  .use(remarkStringify, {
    bullet: '-',
    emphasis: '*',
    fences: true,
    listItemIndent: 'one',
    rule: '-',
    resourceLink: true,
  })
  .freeze();

/** Character references in what is otherwise plain text, such as the titles that WordPress exports. */
export const decodeReferences = (plain: string): string =>
  plain.replace(/&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi, (reference) =>
    parser.parse(reference).children.map(textOf).join(''),
  );

/** A page's text as Markdown, and what was lost on the way. */
export function htmlToMarkdown(html: string): { content: string; notes: string[] } {
  const notes = new Set<string>();
  const root = parser.parse(html);
  clean(root, notes);
  const content = writer
    .stringify(converter.runSync(root))
    .replace(/\u00a0/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return { content, notes: [...notes] };
}
