/** Converts what WordPress adds to HTML: paragraphs without tags, shortcodes and blocks. */
import { HTML_COMMENT, replaceSections, splitTags } from '@mozhan/contract/text-scan.ts';
import { parseAttributes } from './picture-tags.ts';

const PRE_END = /<\/pre>/gi;
const BLOCK =
  /^<\/?(?:p|div|h[1-6]|ul|ol|li|table|blockquote|pre|figure|hr|section|article|dl|form|iframe)\b/i;
const BLOCK_START = /<(?:h[1-6]|ul|ol|table|blockquote|figure|hr|dl)\b/gi;
const BLOCK_END = /<\/(?:h[1-6]|ul|ol|table|blockquote|figure|dl)>/gi;

/** A list may follow a line of text without an empty line. */
const separateBlocks = (html: string): string =>
  html.replace(BLOCK_START, '\n\n$&').replace(BLOCK_END, '$&\n\n');

/** The classic editor stores paragraphs as empty lines, which are converted to <p>. */
export function addParagraphs(html: string): string {
  if (/<!--\s*wp:|<p[\s>]/i.test(html)) return html;
  const marked = replaceSections(html.replaceAll('\0', '').replace(/\r\n?/g, '\n'), {
    open: /<pre/gi,
    close: () => ({ name: 'pre', pattern: PRE_END }),
    replace: ([open], inside) => `\0${open}${inside}</pre>\0`,
  });
  return (
    marked
      // NUL is a safe separator because XML cannot contain it.
      .split('\0')
      .flatMap((part, index) => (index % 2 === 1 ? [part] : separateBlocks(part).split(/\n{2,}/)))
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => (BLOCK.test(part) ? part : `<p>${part.replaceAll('\n', '<br>')}</p>`))
      .join('\n')
  );
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const unescapeHtml = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

export interface ShortCodeFiles {
  /** The address and description of an attachment. */
  findAttachment: (id: string) => { url: string; label: string } | undefined;
  /** The attachments of the post that contains the text. */
  listOwn: () => string[];
}

const BLOCK_CODE = /\[(code|sourcecode|caption|wp_caption|embed|audio|video)\b([^[\]]*)\]/g;
const blockEnds: Record<string, RegExp> = {
  code: /\[\/code\]/g,
  sourcecode: /\[\/sourcecode\]/g,
  caption: /\[\/caption\]/g,
  wp_caption: /\[\/wp_caption\]/g,
  embed: /\[\/embed\]/g,
  audio: /\[\/audio\]/g,
  video: /\[\/video\]/g,
};
const SINGLE_CODES = new Set('gallery playlist audio video youtube vimeo contact-form-7'.split(' '));
const EMPTY_BLOCKS = new Set(['', 'more', 'nextpage', 'spacer', 'separator']);
/** A block without content is a comment that closes itself. */
const blockNameOf = (comment: string): string =>
  comment.endsWith('/-->') ? (/^<!--\s*wp:([a-z][\w/-]*)/.exec(comment)?.[1]?.replace(/\/$/, '') ?? '') : '';

const attributeOf = (given: string, name: string): string =>
  parseAttributes(`<a ${given}>`).get(name)?.value.trim() ?? '';

const linkParagraph = (address: string, label = address): string =>
  `<p><a href="${escapeHtml(address)}">${escapeHtml(label)}</a></p>`;

const listIds = (given: string, files: ShortCodeFiles): string[] => {
  const ids = attributeOf(given, 'ids') || attributeOf(given, 'include');
  return ids === '' ? files.listOwn() : ids.split(/[\s,]+/).slice(0, 1000);
};

const MEDIA_ATTRIBUTES = [
  'src',
  'mp3',
  'm4a',
  'ogg',
  'wav',
  'wma',
  'mp4',
  'm4v',
  'webm',
  'ogv',
  'wmv',
  'flv',
];

function convertSingle(name: string, given: string, files: ShortCodeFiles, notes: Set<string>): string {
  if (name === 'gallery' || name === 'playlist') {
    const found = listIds(given, files).flatMap((id) => files.findAttachment(id) ?? []);
    if (found.length === 0) notes.add(`短代码「${name}」没有导入`);
    return found
      .map(({ url, label }) =>
        name === 'gallery'
          ? `<p><img src="${escapeHtml(url)}" alt="${escapeHtml(label)}"></p>`
          : linkParagraph(url, label || url),
      )
      .join('');
  }
  const address =
    MEDIA_ATTRIBUTES.map((attribute) => attributeOf(given, attribute)).find((value) => value !== '') ??
    /^[\s=]*(https?:\/\/[^\s"'<>]+)/.exec(given)?.[1];
  if (address !== undefined && /^(?:https?:)?\//.test(address)) {
    notes.add(name === 'audio' ? '音频改成了链接' : '视频改成了链接');
    return linkParagraph(address, name === 'audio' ? '音频' : '视频');
  }
  notes.add(`短代码「${name}」没有导入`);
  return '';
}

export function convertShortCodes(html: string, files: ShortCodeFiles): { html: string; notes: string[] } {
  const notes = new Set<string>();
  const code = (given: string, inside: string): string => {
    const language = /\b(?:lang|language)=["']?([\w+#-]+)/.exec(given)?.[1] ?? '';
    return `<pre><code class="language-${language || 'text'}">${escapeHtml(unescapeHtml(inside).trim())}</code></pre>`;
  };
  const caption = (given: string, inside: string): string => {
    const picture = findLinkedPicture(inside);
    const words = attributeOf(given, 'caption') || inside.replace(picture, '').trim();
    return `<figure>${picture}<figcaption>${words}</figcaption></figure>`;
  };
  const media = (name: string) => (given: string, inside: string) => {
    const address = inside.trim();
    const isAddress = /^https?:\/\/[^\s<>"]+$/.test(address);
    return convertSingle(name, isAddress ? ` src="${address}"` : given, files, notes);
  };
  const blocks: Record<string, (given: string, inside: string) => string> = {
    code,
    sourcecode: code,
    caption,
    wp_caption: caption,
    embed: (_, inside) => {
      notes.add('嵌入的内容改成了链接');
      return linkParagraph(unescapeHtml(inside.trim()));
    },
    audio: media('audio'),
    video: media('video'),
  };
  const withBlocks = replaceSections(html, {
    open: BLOCK_CODE,
    close: ([, name = '']) => ({ name, pattern: blockEnds[name] ?? BLOCK_CODE }),
    replace: ([, name = '', given = ''], inside) => blocks[name]?.(given, inside) ?? inside,
  });
  const blockNames = [...html.matchAll(HTML_COMMENT)].map(([comment]) => blockNameOf(comment));
  const lostBlocks = [...new Set(blockNames)].filter((name) => !EMPTY_BLOCKS.has(name)).slice(0, 10);
  if (lostBlocks.length > 0) notes.add(`自动生成的区块没有导入：${lostBlocks.join('、')}`);
  const rewritten = withBlocks.replace(/\[([^[\]]*)\]/g, (match, inside: string) => {
    const [name = ''] = /^[a-z\d-]+/.exec(inside) ?? [];
    if (SINGLE_CODES.has(name)) return convertSingle(name, inside.slice(name.length), files, notes);
    // Words in brackets are no shortcode, unless they have attributes.
    if (/^[a-z][\w-]* [^=[\]]*=/.test(inside)) notes.add(`不认识的短代码「${name}」原样留在正文里`);
    return match;
  });
  return { html: rewritten, notes: [...notes] };
}

function findLinkedPicture(html: string): string {
  const parts = [...splitTags(html)];
  const isTag = (at: number, pattern: RegExp): boolean => {
    const part = parts[at];
    return part !== undefined && 'tag' in part && pattern.test(part.tag);
  };
  const isSpace = (at: number): boolean => {
    const part = parts[at];
    return part !== undefined && 'text' in part && part.text.trim() === '';
  };
  const at = parts.findIndex((_, index) => isTag(index, /^<img\b/i));
  if (at < 0) return '';
  const front = isSpace(at - 1) ? at - 2 : at - 1;
  const back = isSpace(at + 1) ? at + 2 : at + 1;
  const first = isTag(front, /^<a\b/i) ? front : at;
  const last = isTag(back, /^<\/a>$/i) ? back : at;
  return parts
    .slice(first, last + 1)
    .map((part) => ('tag' in part ? part.tag : part.text))
    .join('');
}
