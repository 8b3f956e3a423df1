import { replaceSections, replaceTags } from '@mozhan/contract/scan.ts';
import rehypeDomParse from 'rehype-dom-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';

const processor = unified()
  .use(rehypeDomParse, { fragment: true })
  .use(rehypeRemark)
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

const attributes = ['href', 'src', 'alt', 'title', 'colspan', 'rowspan', 'start', 'type', 'checked', 'align'];
/** Read under another name: even in a document that is never shown, the page's policy forbids styles. */
const STYLE = 'data-pasted-style';
const isStyled = (element: Element, pattern: RegExp) => pattern.test(element.getAttribute(STYLE) ?? '');

const STYLE_END = /<\/style>/gi;

const withoutStyles = (html: string): string =>
  replaceTags(
    replaceSections(html, {
      open: /<style\b/gi,
      close: () => ({ name: 'style', pattern: STYLE_END }),
      replace: () => '',
    }),
    (tag) => tag.replace(/\sstyle\s*=/gi, ` ${STYLE}=`),
  );

/** Word writes lists as paragraphs with a mark of their own. */
function rebuildWordLists(body: HTMLElement): void {
  let list: HTMLElement | null = null;
  for (const item of body.querySelectorAll<HTMLElement>(
    `p[class*="MsoListParagraph"], p[${STYLE}*="mso-list"]`,
  )) {
    const ignored = [...item.querySelectorAll<HTMLElement>('span')].find((span) =>
      isStyled(span, /mso-list:\s*ignore/i),
    );
    const mark = ignored?.textContent?.trim() ?? '';
    ignored?.remove();
    const tag = /^[\d一二三四五六七八九十a-z]+[.)、．]/i.test(mark) ? 'ol' : 'ul';
    if (list === null || list.localName !== tag || item.previousElementSibling !== list) {
      list = item.ownerDocument.createElement(tag);
      item.before(list);
    }
    const entry = item.ownerDocument.createElement('li');
    entry.append(...item.childNodes);
    list.append(entry);
    item.remove();
  }
}

/** What looks bold or slanted is meant so, also where only a style says it. */
function nameStyles(body: HTMLElement): void {
  for (const span of body.querySelectorAll<HTMLElement>(`span[${STYLE}]`)) {
    const isBold = isStyled(span, /font-weight:\s*(bold|[6-9]00)/i);
    const isSlanted = isStyled(span, /font-style:\s*italic/i);
    if (!isBold && !isSlanted) continue;
    const named = span.ownerDocument.createElement(isBold ? 'strong' : 'em');
    named.append(...span.childNodes);
    span.replaceWith(named);
  }
  // Google Docs wraps everything in a <b> that is not bold.
  for (const bold of body.querySelectorAll<HTMLElement>(`b[${STYLE}], strong[${STYLE}]`))
    if (isStyled(bold, /font-weight:\s*(normal|400)/i)) bold.replaceWith(...bold.childNodes);
}

function clean(html: string): string {
  // Never put into the page: nothing in it runs or is fetched.
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  for (const element of body.querySelectorAll(
    'style, script, meta, link, title, noscript, svg, button, input[type=hidden]',
  ))
    element.remove();
  const comments = body.ownerDocument.createNodeIterator(body, NodeFilter.SHOW_COMMENT);
  for (let node = comments.nextNode(); node !== null; node = comments.nextNode()) (node as Comment).remove();
  rebuildWordLists(body);
  nameStyles(body);
  for (const element of body.querySelectorAll<HTMLElement>('*')) {
    if (element.localName.includes(':')) element.replaceWith(...element.childNodes);
    for (const { name } of [...element.attributes])
      if (!attributes.includes(name)) element.removeAttribute(name);
  }
  for (const image of body.querySelectorAll('img'))
    if (!/^https?:|^\//.test(image.getAttribute('src') ?? '')) image.remove();
  for (const link of body.querySelectorAll('a'))
    if (!/^(https?:|mailto:|\/|#)/.test(link.getAttribute('href') ?? ''))
      link.replaceWith(...link.childNodes);
  return body.innerHTML;
}

/** What was copied from Word or a web page, without what only they need. */
export function htmlToMarkdown(html: string): string {
  const text = String(processor.processSync(clean(html)));
  return text
    .replace(/\u00a0/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
