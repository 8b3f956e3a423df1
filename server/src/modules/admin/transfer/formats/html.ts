import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { tree } from '../../../platform/text/index.ts';
import { chooseSource } from './picture-tags.ts';

const {
  classesOf,
  createElement: element,
  elementsOf,
  hasClass,
  isElement,
  replaceElements,
  createText: text,
  textOf,
} = tree;

const REMOVED_TAGS = 'style noscript template button select object svg link meta'.split(' ');
const ACTIVE_TAGS = ['script', 'form'];
/** Embedded content that Markdown cannot contain, with its label. */
const EMBEDDED_TAGS: Record<string, string> = {
  iframe: '嵌入的内容',
  embed: '嵌入的内容',
  video: '视频',
  audio: '音频',
};

const createLinkParagraph = (href: string, label: string): tree.Element =>
  element('p', {}, [element('a', { href }, [text(label)])]);

function findSource(node: tree.Element): string {
  const source = [node, ...elementsOf(node)].find(({ properties }) => typeof properties.src === 'string');
  return String(source?.properties.src ?? '').replace(/^\/\//, 'https://');
}

/** Moves the language of `<pre class="brush: js">`, `<pre class="lang:js">` or `<pre lang="js">` to the code element. */
function moveLanguage(pre: tree.Element): void {
  const [first] = pre.children;
  const code = isElement(first, 'code') ? first : null;
  const classes = [...classesOf(pre), ...(code === null ? [] : classesOf(code))].join(' ');
  const language =
    /\b(?:language|lang|brush)[-:]\s*([\w+#-]+)/.exec(classes)?.[1] ??
    (typeof pre.properties.lang === 'string' ? pre.properties.lang : undefined);
  const properties = language === undefined ? {} : { className: [`language-${language}`] };
  pre.children = [element('code', properties, code === null ? pre.children : code.children)];
}

/** Converts a bookmark card of Ghost to a plain link. */
function toBookmarkLink(card: tree.Element): tree.Element[] {
  const inside = elementsOf(card);
  const href = inside.find((each) => each.tagName === 'a')?.properties.href;
  const title = inside.find((each) => hasClass(each, 'kg-bookmark-title'));
  if (typeof href !== 'string') return [];
  return [createLinkParagraph(href, (title === undefined ? '' : textOf(title).trim()) || href)];
}

/** Keeps one address of a picture that is loaded by a script or has several sizes. */
function chooseAddress(picture: tree.Element): void {
  const attributes = new Map(
    Object.entries(picture.properties).map(([name, value]) => [
      // hast spells `data-src` as `dataSrc`.
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^src-set$/, 'srcset'),
      { value: Array.isArray(value) ? value.join(', ') : String(value ?? '') },
    ]),
  );
  const source = chooseSource(attributes);
  if (source !== '') picture.properties.src = source;
}

/** An address alone in a paragraph or an embed block of WordPress is shown as embedded content. */
function toAddressLink(node: tree.Element, notes: Set<string>): tree.Element[] | undefined {
  if (node.tagName !== 'p' && !hasClass(node, 'wp-block-embed__wrapper')) return undefined;
  if (node.children.some((child) => child.type !== 'text')) return undefined;
  const address = textOf(node).trim();
  if (!/^https?:\/\/[^\s<>]+$/.test(address)) return undefined;
  if (node.tagName !== 'p') notes.add('嵌入的内容改成了链接');
  return [createLinkParagraph(address, address)];
}

function clean(root: tree.Root, notes: Set<string>): void {
  replaceElements(root, (node) => {
    const label = EMBEDDED_TAGS[node.tagName];
    if (label !== undefined) {
      const source = findSource(node);
      const isLink = source !== '' && !/^(?!https?:)[a-z][\w+.-]*:/i.test(source);
      notes.add(isLink ? `${label}改成了链接` : `${label}没有导入`);
      return isLink ? [createLinkParagraph(source, label)] : [];
    }
    if (node.tagName === 'img') chooseAddress(node);
    if (node.tagName === 'input' && node.properties.type !== 'checkbox') return [];
    const link = toAddressLink(node, notes);
    if (link !== undefined) return link;
    if (ACTIVE_TAGS.includes(node.tagName)) {
      notes.add('去掉了脚本或表单');
      return [];
    }
    if (REMOVED_TAGS.includes(node.tagName)) return [];
    if (hasClass(node, 'kg-bookmark-card')) return toBookmarkLink(node);
    if (node.tagName === 'pre') moveLanguage(node);
    return undefined;
  });
}

const parser = unified().use(rehypeParse, { fragment: true }).freeze();
/** Comments, such as those around the blocks of WordPress, are no content. */
const converter = unified()
  .use(rehypeRemark, { nodeHandlers: { comment: () => undefined } })
  .freeze();
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

/** Decodes character references in plain text, such as titles exported by WordPress. */
export const decodeReferences = (plain: string): string =>
  plain.replace(/&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi, (reference) =>
    parser.parse(reference).children.map(textOf).join(''),
  );

/** Converts HTML to Markdown; `notes` describe lost content. */
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

const MAX_COMMENT_LENGTH = 64 * 1024;

/** Converts a comment, in which line breaks count, to Markdown. */
export function commentToMarkdown(html: string): string {
  const text = html.slice(0, MAX_COMMENT_LENGTH).replace(/\r\n?/g, '\n').trim();
  const isHtml = /<(?:p|br|div|pre|ul|ol|blockquote)\b/i.test(text);
  const paragraphs = text.split(/\n{2,}/).map((part) => `<p>${part.replaceAll('\n', '<br>')}</p>`);
  return htmlToMarkdown(isHtml ? text : paragraphs.join('')).content;
}
