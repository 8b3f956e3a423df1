/** Converts the editor documents of Ghost to HTML, for posts that were exported without HTML. */
import { isFields } from './front-matter.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const MAX_DEPTH = 100;

interface Card {
  html: string;
  /** The card is Markdown, and `html` is empty. */
  markdown: string | null;
}

const link = (address: string, label: string): string =>
  `<p><a href="${escapeHtml(address)}">${escapeHtml(label || address)}</a></p>`;

function toPicture(value: Record<string, unknown>): string {
  const caption = textOf(value.caption);
  const alt = textOf(value.alt) || textOf(value.title);
  const picture = `<img src="${escapeHtml(textOf(value.src))}" alt="${escapeHtml(alt)}">`;
  const linked =
    textOf(value.href) === '' ? picture : `<a href="${escapeHtml(textOf(value.href))}">${picture}</a>`;
  return `<figure>${linked}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
}

function toCode(value: Record<string, unknown>): string {
  const language = textOf(value.language).replace(/[^\w+#-]/g, '');
  const name = language === '' ? '' : ` class="language-${language}"`;
  return `<pre><code${name}>${escapeHtml(textOf(value.code))}</code></pre>`;
}

/** Cards have the same names and fields in both kinds of documents. */
function toCard(name: string, value: Record<string, unknown>): Card | null {
  const html = (content: string): Card => ({ html: content, markdown: null });
  const metadata = isFields(value.metadata) ? value.metadata : {};
  switch (name.replace(/^card-/, '')) {
    case 'markdown':
      return { html: '', markdown: textOf(value.markdown) };
    case 'image':
      return html(toPicture(value));
    case 'gallery':
      return html(listOf(value.images).filter(isFields).map(toPicture).join(''));
    case 'html':
    case 'email':
      return html(textOf(value.html));
    case 'code':
    case 'codeblock':
      return html(toCode(value));
    case 'hr':
    case 'horizontalrule':
      return html('<hr>');
    case 'bookmark':
      return html(link(textOf(value.url), textOf(metadata.title)));
    case 'embed':
      return html(link(textOf(value.url), textOf(metadata.title)));
    case 'button':
      return html(link(textOf(value.buttonUrl), textOf(value.buttonText)));
    case 'callout':
      return html(`<blockquote><p>${textOf(value.calloutText)}</p></blockquote>`);
    case 'toggle':
      return html(`<h4>${textOf(value.heading)}</h4>${textOf(value.content)}`);
    case 'video':
      return html(`<video src="${escapeHtml(textOf(value.src))}"></video>`);
    case 'audio':
      return html(`<audio src="${escapeHtml(textOf(value.src))}"></audio>`);
    case 'file':
      return html(link(textOf(value.src), textOf(value.fileTitle) || textOf(value.fileName)));
    case 'paywall':
      return html('');
    default:
      return null;
  }
}

const FORMATS: [number, string][] = [
  [1, 'strong'],
  [2, 'em'],
  [4, 'del'],
  [16, 'code'],
];
const BLOCK_TAGS: Record<string, string> = {
  paragraph: 'p',
  quote: 'blockquote',
  aside: 'blockquote',
  listitem: 'li',
};

/** A node of Lexical, the current editor. */
function lexicalToHtml(node: unknown, depth = 0): string {
  if (!isFields(node) || depth > MAX_DEPTH) return '';
  const type = textOf(node.type).replace(/^extended-/, '');
  const children = (): string =>
    listOf(node.children)
      .map((child) => lexicalToHtml(child, depth + 1))
      .join('');
  if (type === 'root') return children();
  if (type === 'text') {
    const format = typeof node.format === 'number' ? node.format : 0;
    return FORMATS.reduce(
      (text, [bit, tag]) => ((format & bit) === 0 ? text : `<${tag}>${text}</${tag}>`),
      escapeHtml(textOf(node.text)),
    );
  }
  if (type === 'linebreak') return '<br>';
  if (type === 'link' || type === 'autolink')
    return `<a href="${escapeHtml(textOf(node.url))}">${children()}</a>`;
  if (type === 'list') {
    const tag = node.listType === 'number' || node.tag === 'ol' ? 'ol' : 'ul';
    return `<${tag}>${children()}</${tag}>`;
  }
  const heading = /^h[1-6]$/.exec(textOf(node.tag))?.[0];
  const tag = type === 'heading' ? (heading ?? 'h2') : (BLOCK_TAGS[type] ?? '');
  if (tag !== '') return `<${tag}>${children()}</${tag}>`;
  return toCard(type, node)?.html ?? children();
}

const MARKUP_TAGS = new Set(['strong', 'b', 'em', 'i', 'code', 's', 'del', 'u', 'sub', 'sup']);

/** The text of a section of Mobiledoc: `[type, opened markups, number of closed markups, text]`. */
function markersToHtml(markers: unknown, markups: unknown[]): string {
  const open: string[] = [];
  let html = '';
  for (const marker of listOf(markers)) {
    const [type, opened, closed, value] = listOf(marker);
    for (const index of listOf(opened)) {
      const [tag, attributes] = listOf(markups[Number(index)]);
      const name = textOf(tag);
      const given = listOf(attributes).map(textOf);
      const href = given[given.indexOf('href') + 1] ?? '';
      const isLink = name === 'a' && given.includes('href');
      html += isLink ? `<a href="${escapeHtml(href)}">` : MARKUP_TAGS.has(name) ? `<${name}>` : '';
      open.push(isLink || MARKUP_TAGS.has(name) ? name : '');
    }
    html += type === 0 ? escapeHtml(textOf(value)) : '<br>';
    for (let count = Math.min(Number(closed) || 0, open.length); count > 0; count -= 1) {
      const name = open.pop() ?? '';
      if (name !== '') html += `</${name}>`;
    }
  }
  return html;
}

/** A document of Mobiledoc, the former editor. */
function mobiledocToHtml(document: Record<string, unknown>): string {
  const markups = listOf(document.markups);
  const cards = listOf(document.cards);
  return listOf(document.sections)
    .map((section) => {
      const [type, first, second] = listOf(section);
      if (type === 1) {
        const tag = /^(?:p|h[1-6]|blockquote|aside|pull-quote)$/.test(textOf(first)) ? textOf(first) : 'p';
        const name = tag === 'aside' || tag === 'pull-quote' ? 'blockquote' : tag;
        return `<${name}>${markersToHtml(second, markups)}</${name}>`;
      }
      if (type === 2) return `<img src="${escapeHtml(textOf(first))}">`;
      if (type === 3) {
        const tag = first === 'ol' ? 'ol' : 'ul';
        const items = listOf(second).map((item) => `<li>${markersToHtml(item, markups)}</li>`);
        return `<${tag}>${items.join('')}</${tag}>`;
      }
      const [name, value] = type === 10 ? listOf(cards[Number(first)]) : [];
      return toCard(textOf(name), isFields(value) ? value : {})?.html ?? '';
    })
    .join('');
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/** The original Markdown of a post that consists of Markdown cards only. */
export function findSourceMarkdown({
  mobiledoc,
  lexical,
}: {
  mobiledoc: string;
  lexical: string;
}): string | null {
  const old = mobiledoc === '' ? null : parse(mobiledoc);
  const root = lexical === '' ? null : parse(lexical)?.root;
  const cards = isFields(root)
    ? listOf(root.children).map((node) => (isFields(node) ? toCard(textOf(node.type), node) : null))
    : listOf(old?.sections).map((section) => {
        const [type, index] = listOf(section);
        const [name, value] = type === 10 ? listOf(listOf(old?.cards)[Number(index)]) : [];
        // The editor adds an empty paragraph at the end.
        const isEmpty = type === 1 && markersToHtml(listOf(section)[2], []) === '';
        return isEmpty ? { html: '', markdown: '' } : isFields(value) ? toCard(textOf(name), value) : null;
      });
  const texts = cards.map((card) => card?.markdown ?? null);
  if (texts.length === 0 || texts.includes(null)) return null;
  return texts.filter((text) => text !== '').join('\n\n') || null;
}

export function documentToHtml({ mobiledoc, lexical }: { mobiledoc: string; lexical: string }): string {
  const root = lexical === '' ? null : (parse(lexical)?.root ?? null);
  if (root !== null) return lexicalToHtml(root);
  const old = mobiledoc === '' ? null : parse(mobiledoc);
  return old === null ? '' : mobiledocToHtml(old);
}
