import { textBefore } from '@mozhan/contract/text-scan.ts';

const FENCE = /^(?: {0,3})(`{3,}|~{3,})/;

function mapOutsideCode(text: string, change: (part: string) => string): string {
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
    const quote = value.startsWith('"') || value.startsWith("'") ? value.charAt(0) : '';
    const start = quote.length;
    const end = value.indexOf(quote || ' ', start);
    found.set(name.slice(name.lastIndexOf(' ') + 1), value.slice(start, end < 0 ? undefined : end).trim());
    rest = end < 0 ? '' : value.slice(end + 1);
  }
  return found;
}

interface ConvertedText {
  text: string;
  notes: string[];
}

/** Hexo's `{% name … %}` or Hugo's `{{< name … >}}` and `{{% name … %}}`. */
const TAG = /\{%([^%]*)%\}|\{\{[<%]([^<>%]*)[>%]\}\}/g;

interface Tag {
  name: string;
  rest: string;
  isHugo: boolean;
}

function readTag([, hexo, hugo]: RegExpExecArray): Tag {
  const words = (hexo ?? hugo ?? '').replace(/\s/g, ' ').trim();
  // Hugo allows a space after the slash of a closing tag.
  const inside = words.startsWith('/') ? `/${words.slice(1).trimStart()}` : words;
  const name = textBefore(inside, ' ');
  return { name, rest: inside.slice(name.length).trimStart(), isHugo: hexo === undefined };
}

const CODE_TAGS = new Set(['codeblock', 'code']);
const WRAPPERS = 'raw note quote blockquote centerquote cq tab tabs hideToggle span label'.split(' ');
/** Tags that are removed while the text between them stays. */
const WRAPPER_TAGS = new Set(WRAPPERS.flatMap((name) => [name, `end${name}`]));
const ALIGNMENTS = new Set(['left', 'right', 'center']);

const isCodeTag = ({ name, isHugo }: Tag): boolean => (isHugo ? name === 'highlight' : CODE_TAGS.has(name));
const endsCode = ({ name, isHugo }: Tag, opened: Tag): boolean =>
  opened.isHugo
    ? isHugo && name === '/highlight'
    : !isHugo && name.startsWith('end') && CODE_TAGS.has(name.slice(3));
const languageOf = ({ rest, isHugo }: Tag): string =>
  (isHugo ? /^[\w+#-]+/.exec(rest)?.[0] : /\blang:([\w+#-]+)/.exec(rest)?.[1]) ?? '';

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

const unquoted = (text: string): string =>
  text.replace(/"[^"]*"|'[^']*'/g, (quoted) => ` ${quoted.slice(1, -1)} `);

function toPicture(rest: string): string {
  const words = rest.split(' ').filter((word) => word !== '');
  if (ALIGNMENTS.has(words[0] ?? '')) words.shift();
  const [name = '', ...others] = words;
  // Width and height may precede the title.
  const sized = unquoted(others.join(' '))
    .split(' ')
    .filter((word) => word !== '');
  for (let count = 0; count < 2 && /^\d+$/.test(sized[0] ?? ''); count += 1) sized.shift();
  return `![${sized.join(' ')}](${name})`;
}

function toFigure(rest: string): string {
  const values = parseArguments(rest);
  const words = values.get('alt') || values.get('caption') || values.get('title') || '';
  return `![${words}](${values.get('src') ?? ''})`;
}

/** Adds a message to `lost` for content that cannot be converted. */
function convertTag({ name, rest, isHugo }: Tag, lost: Set<string>): string {
  if (isHugo && name === 'figure') return toFigure(rest);
  if (!isHugo && WRAPPER_TAGS.has(name)) return '';
  if (!isHugo && name === 'asset_img') return toPicture(rest);
  if (!isHugo && (name === 'post_link' || name === 'asset_link')) {
    lost.add('指向站内其他文章的链接只保留了文字');
    const slug = textBefore(rest, ' ');
    return (
      rest
        .slice(slug.length)
        .replace(/['"]|\b(?:true|false)\b/g, '')
        .trim() || slug
    );
  }
  if (!isHugo && ['youtube', 'bilibili', 'vimeo'].includes(name)) {
    lost.add('嵌入的视频没有导入');
    return `（视频：${textBefore(rest, ' ')}）`;
  }
  lost.add(`去掉了不认识的标签「${name.replace(/^\//, '')}」`);
  return '';
}

export function convertTags(body: string): ConvertedText {
  const lost = new Set<string>();
  // Code blocks are converted first, so that their content is not changed.
  const text = mapOutsideCode(mapOutsideCode(body, convertCodeBlocks), (part) => {
    let output = '';
    let done = 0;
    for (const match of part.matchAll(TAG)) {
      const tag = readTag(match);
      if (!/^\/?\w/.test(tag.name)) continue;
      output += part.slice(done, match.index) + convertTag(tag, lost);
      done = match.index + match[0].length;
    }
    return output + part.slice(done);
  });
  return { text, notes: [...lost] };
}
