import { textBefore } from '@mozhan/contract/text-scan.ts';

const FENCE = /^(?: {0,3})(`{3,}|~{3,})/;

export function mapOutsideCode(text: string, change: (part: string) => string): string {
  const parts: { isCode: boolean; lines: string[] }[] = [{ isCode: false, lines: [] }];
  let fence = '';
  for (const line of text.split('\n')) {
    const [, mark = ''] = FENCE.exec(line) ?? [];
    const opens = fence === '' && mark !== '';
    if (opens) {
      fence = mark;
      parts.push({ isCode: true, lines: [] });
    }
    parts.at(-1)?.lines.push(line);
    if (!opens && fence !== '' && mark.startsWith(fence) && line.trim() === mark) {
      fence = '';
      parts.push({ isCode: false, lines: [] });
    }
  }
  return parts
    .filter(({ lines }) => lines.length > 0)
    .map(({ isCode, lines }) => (isCode ? lines.join('\n') : change(lines.join('\n'))))
    .join('\n');
}

const toFence = (language: string, code: string): string => {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `\n${mark}${language}\n${code.replace(/^\n|\n$/g, '')}\n${mark}\n`;
};

/** Parses `name="value"`, `name='value'` and `name=value`. */
function parseArguments(text: string): Map<string, string> {
  const found = new Map<string, string>();
  let rest = text;
  for (let at = rest.indexOf('='); at >= 0; at = rest.indexOf('=')) {
    const name = rest.slice(0, at).trimEnd();
    const value = rest.slice(at + 1).trimStart();
    const quote = /^["'`]/.exec(value)?.[0] ?? '';
    const start = quote.length;
    const end = value.indexOf(quote || ' ', start);
    found.set(name.slice(name.lastIndexOf(' ') + 1), value.slice(start, end < 0 ? undefined : end).trim());
    rest = end < 0 ? '' : value.slice(end + 1);
  }
  return found;
}

/** Splits at spaces; quotes keep words together and are removed. */
const splitWords = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|`([^`]*)`|[^\s"'`]+/g)].map(
    ([word, double, single, back]) => double ?? single ?? back ?? word,
  );

export interface ConvertedText {
  text: string;
  notes: string[];
}

export interface TagOptions {
  /** Finds another item by the name that a tag uses for it. */
  findTarget: (name: string) => { url: string; title: string } | null;
}

/** `{% name … %}` of Hexo and Jekyll, or `{{< name … >}}` and `{{% name … %}}` of Hugo; arguments may contain `%`. */
const TAG = /\{%([^%]*|[^{}]{0,500})%\}|\{\{[<%]([^<>%]*|[^{}]{0,500})[>%]\}\}/g;

interface Tag {
  name: string;
  rest: string;
  isHugo: boolean;
}

function readTag([, hexo, hugo]: RegExpExecArray): Tag {
  const words = (hexo ?? hugo ?? '').replace(/\s/g, ' ').trim().replace(/^-|-$/g, '').trim();
  // Hugo allows a space after the slash of a closing tag.
  const inside = words.startsWith('/') ? `/${words.slice(1).trimStart()}` : words;
  const name = textBefore(inside, ' ').replace(/,$/, '');
  return { name, rest: inside.slice(name.length).replace(/^,/, '').trimStart(), isHugo: hexo === undefined };
}

const CODE_TAGS = new Set(['codeblock', 'code', 'highlight', 'mermaid']);
const HUGO_CODE_TAGS = new Set(['highlight', 'mermaid']);
const WRAPPERS =
  'raw note quote blockquote centerquote pullquote cq tab tabs subtab hideToggle hideBlock span label fold folding foldings details timeline timenode notel notice notation alert admonition callout tip info warning danger success detail center columns column row grid gallery left right comment markdown'.split(
    ' ',
  );
/** Tags that are removed while the text between them stays. */
const WRAPPER_TAGS = new Set(WRAPPERS.flatMap((name) => [name, `end${name}`, `/${name}`]));
const ALIGNMENTS = new Set(['left', 'right', 'center']);

const isCodeTag = ({ name, isHugo }: Tag): boolean => (isHugo ? HUGO_CODE_TAGS : CODE_TAGS).has(name);
const endsCode = ({ name, isHugo }: Tag, opened: Tag): boolean =>
  opened.isHugo
    ? isHugo && name === `/${opened.name}`
    : !isHugo && name.startsWith('end') && CODE_TAGS.has(name.slice(3));
const languageOf = ({ name, rest, isHugo }: Tag): string =>
  (name === 'mermaid'
    ? name
    : isHugo || name === 'highlight'
      ? /^["']?([\w+#-]+)/.exec(rest)?.[1]
      : /\blang:([\w+#-]+)/.exec(rest)?.[1]) ?? '';

function convertCodeBlocks(text: string): string {
  let output = '';
  let done = 0;
  let open: { tag: Tag; from: number; inside: number } | null = null;
  for (const match of text.matchAll(TAG)) {
    const tag = readTag(match);
    const end = match.index + match[0].length;
    if (open === null) {
      if (isCodeTag(tag)) open = { tag, from: match.index, inside: end };
    } else if (endsCode(tag, open.tag)) {
      output +=
        text.slice(done, open.from) + toFence(languageOf(open.tag), text.slice(open.inside, match.index));
      done = end;
      open = null;
    }
  }
  return output + text.slice(done);
}

/** Hexo's `asset_img [class] name [width] [height] [title]` and `img [class] address …`. */
function toPicture(rest: string): string {
  const words = splitWords(rest);
  while (words.length > 1 && (ALIGNMENTS.has(words[0] ?? '') || !/[./]/.test(words[0] ?? ''))) words.shift();
  const [name = '', ...others] = words;
  for (let count = 0; count < 2 && /^\d+(?:px|%)?$/.test(others[0] ?? ''); count += 1) others.shift();
  return `![${others.join(' ')}](${name})`;
}

function toFigure(rest: string): string {
  const values = parseArguments(rest);
  const words = values.get('alt') || values.get('caption') || values.get('title') || '';
  const picture = `![${words}](${values.get('src') ?? ''})`;
  const link = values.get('link') ?? '';
  return link === '' ? picture : `[${picture}](${link})`;
}

/** The page of embedded content, by the name of its tag. */
const EMBEDS: Record<string, (words: string[]) => string> = {
  youtube: ([id = '']) => `https://www.youtube.com/watch?v=${id}`,
  vimeo: ([id = '']) => `https://vimeo.com/${id}`,
  bilibili: ([id = '']) => `https://www.bilibili.com/video/${/^\d+$/.test(id) ? `av${id}` : id}`,
  gist: ([user = '', id = '']) => `https://gist.github.com/${id === '' ? user : `${user}/${id}`}`,
  tweet: ([user = '', id = '']) =>
    `https://twitter.com/${id === '' ? `i/status/${user}` : `${user}/status/${id}`}`,
  x: ([user = '', id = '']) => `https://x.com/${id === '' ? `i/status/${user}` : `${user}/status/${id}`}`,
  instagram: ([id = '']) => `https://www.instagram.com/p/${id}/`,
  iframe: ([address = '']) => address,
};
const EMBED_LABELS: Record<string, string> = {
  gist: '代码片段',
  tweet: '推文',
  x: '推文',
  instagram: '图片',
  iframe: '嵌入的内容',
};

function toEmbed(name: string, rest: string): string | null {
  const values = parseArguments(rest);
  const words =
    rest.includes('=') && !/^["']?https?:/.test(rest)
      ? [values.get('user') ?? '', values.get('id') ?? values.get('src') ?? ''].filter((word) => word !== '')
      : splitWords(rest);
  const [first = ''] = words;
  const url = /^https?:\/\//.test(first) ? first : EMBEDS[name]?.(words);
  return url === undefined || first === '' ? null : `[${EMBED_LABELS[name] ?? '视频'}](${url})`;
}

/** The tag `link` of themes: `href="address" content="text"`, `text::address` or `address text`; null for Jekyll's. */
function toThemeLink({ rest }: Tag): string | null {
  const isAddress = (word: string): boolean => /^(?:https?:\/)?\//.test(word);
  const values = parseArguments(rest);
  const named = values.get('href') ?? values.get('url') ?? '';
  const parts = rest.split('::').map((part) => part.trim());
  const [first = '', ...others] = splitWords(rest);
  const address = [named, parts[1] ?? '', first].find(isAddress);
  if (address === undefined) return null;
  const label = values.get('content') ?? values.get('text') ?? values.get('title');
  const words = address === named ? label : address === parts[1] ? parts[0] : others.join(' ');
  return `[${words || address}](${address})`;
}

/** Hexo's `post_link slug title`, Jekyll's `post_url name` and Hugo's `ref "path"`. */
function toLink({ name, rest }: Tag, { findTarget }: TagOptions, lost: Set<string>): string {
  const [given = '', ...others] = splitWords(rest.replace(/^path=/, ''));
  const target = findTarget(given);
  const isAddress = name !== 'post_link' && name !== 'asset_link';
  if (isAddress) {
    if (target === null) lost.add(`没有找到链接指向的文章「${given}」`);
    return target?.url ?? given;
  }
  const label = others.filter((word) => word !== 'true' && word !== 'false').join(' ');
  if (name === 'asset_link') return `[${label || given}](${given})`;
  if (target !== null) return `[${label || target.title || given}](${target.url})`;
  lost.add(`没有找到链接指向的文章「${given}」`);
  return label || given;
}

const LINK_TAGS = new Set(['post_link', 'asset_link', 'post_path', 'post_url', 'link', 'ref', 'relref']);

/** Returns null for a tag that is not known; adds a message to `lost` for content that cannot be converted. */
function convertTag(tag: Tag, options: TagOptions, lost: Set<string>): string | null {
  const { name, rest, isHugo } = tag;
  if (isHugo && (name === 'figure' || name === 'img' || name === 'image')) return toFigure(rest);
  if (!isHugo && (name === 'asset_img' || name === 'img' || name === 'image' || name === 'asset_path'))
    return toPicture(rest);
  const themeLink = name === 'link' ? toThemeLink(tag) : null;
  if (themeLink !== null) return themeLink;
  if (!isHugo && name === 'include') {
    lost.add(`模板片段「${textBefore(rest, ' ')}」没有导入`);
    return '';
  }
  if (LINK_TAGS.has(name)) return toLink(tag, options, lost);
  if (Object.hasOwn(EMBEDS, name)) return toEmbed(name, rest);
  return WRAPPER_TAGS.has(name) ? '' : null;
}

/** Tags that are not known stay in the text. */
export function convertTags(body: string, options: TagOptions): ConvertedText {
  const lost = new Set<string>();
  // Code blocks are converted first, so that their content is not changed.
  const text = mapOutsideCode(mapOutsideCode(body, convertCodeBlocks), (part) => {
    let output = '';
    let done = 0;
    for (const match of part.matchAll(TAG)) {
      const tag = readTag(match);
      const isEscaped = tag.isHugo && tag.name.startsWith('/*');
      if (!isEscaped && !/^\/?\w/.test(tag.name)) continue;
      const converted = isEscaped
        ? match[0].replace('/*', '').replace('*/', '')
        : convertTag(tag, options, lost);
      if (converted === null) {
        lost.add(`不认识的标签「${tag.name.replace(/^\//, '')}」原样留在正文里`);
        continue;
      }
      output += part.slice(done, match.index) + converted;
      done = match.index + match[0].length;
    }
    return output + part.slice(done);
  });
  return { text, notes: [...lost] };
}
