import { replaceSections, replaceTags } from '@mozhan/contract/text-scan.ts';
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

const keptAttributes = [
  'href',
  'src',
  'alt',
  'title',
  'colspan',
  'rowspan',
  'start',
  'type',
  'checked',
  'align',
];
/** The content security policy blocks `style` attributes even in a detached document, so they are renamed. */
const STYLE_ATTRIBUTE = 'data-pasted-style';
const isStyled = (element: Element, pattern: RegExp) =>
  pattern.test(element.getAttribute(STYLE_ATTRIBUTE) ?? '');

const STYLE_END = /<\/style>/gi;

const disableStyles = (html: string): string =>
  replaceTags(
    replaceSections(html, {
      open: /<style\b/gi,
      close: () => ({ name: 'style', pattern: STYLE_END }),
      replace: () => '',
    }),
    (tag) => tag.replace(/\sstyle\s*=/gi, ` ${STYLE_ATTRIBUTE}=`),
  );

/** Word writes lists as paragraphs with special styles. */
function rebuildWordLists(body: HTMLElement): void {
  let list: HTMLElement | null = null;
  for (const item of body.querySelectorAll<HTMLElement>(
    `p[class*="MsoListParagraph"], p[${STYLE_ATTRIBUTE}*="mso-list"]`,
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

/** Replaces spans that are bold or italic only by style with `strong` and `em`. */
function stylesToTags(body: HTMLElement): void {
  for (const span of body.querySelectorAll<HTMLElement>(`span[${STYLE_ATTRIBUTE}]`)) {
    const isBold = isStyled(span, /font-weight:\s*(bold|[6-9]00)/i);
    const isSlanted = isStyled(span, /font-style:\s*italic/i);
    if (!isBold && !isSlanted) continue;
    const named = span.ownerDocument.createElement(isBold ? 'strong' : 'em');
    named.append(...span.childNodes);
    span.replaceWith(named);
  }
  // Google Docs wraps everything in a `<b>` that is not bold.
  for (const bold of body.querySelectorAll<HTMLElement>(`b[${STYLE_ATTRIBUTE}], strong[${STYLE_ATTRIBUTE}]`))
    if (isStyled(bold, /font-weight:\s*(normal|400)/i)) bold.replaceWith(...bold.childNodes);
}

function cleanHtml(html: string): string {
  // The parsed document is never inserted into the page, so nothing in it is run or fetched.
  const { body } = new DOMParser().parseFromString(disableStyles(html), 'text/html');
  for (const element of body.querySelectorAll(
    'style, script, meta, link, title, noscript, svg, button, input[type=hidden]',
  ))
    element.remove();
  const comments = body.ownerDocument.createNodeIterator(body, NodeFilter.SHOW_COMMENT);
  for (let node = comments.nextNode(); node !== null; node = comments.nextNode()) (node as Comment).remove();
  rebuildWordLists(body);
  stylesToTags(body);
  for (const element of body.querySelectorAll<HTMLElement>('*')) {
    if (element.localName.includes(':')) element.replaceWith(...element.childNodes);
    for (const { name } of [...element.attributes])
      if (!keptAttributes.includes(name)) element.removeAttribute(name);
  }
  for (const image of body.querySelectorAll('img'))
    if (!/^https?:|^\//.test(image.getAttribute('src') ?? '')) image.remove();
  for (const link of body.querySelectorAll('a'))
    if (!/^(https?:|mailto:|\/|#)/.test(link.getAttribute('href') ?? ''))
      link.replaceWith(...link.childNodes);
  return body.innerHTML;
}

/** Converts HTML copied from Word or a web page, without its styles and scripts. */
export function htmlToMarkdown(html: string): string {
  const text = String(processor.processSync(cleanHtml(html)));
  return text
    .replace(/\u00a0/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
