import { before } from '@mozhan/contract/scan.ts';

const FENCE = /^(?: {0,3})(`{3,}|~{3,})/;

/** Calls `change` on what is no code, line by line joined again. */
function outsideCode(text: string, change: (part: string) => string): string {
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

const fenced = (language: string, code: string): string => {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `\n${mark}${language}\n${code.replace(/^\n|\n$/g, '')}\n${mark}\n`;
};

/** Values by name, as `name="value"`, `name='value'` or `name=value`. */
function argumentsOf(text: string): Map<string, string> {
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

interface Rewritten {
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
  // Hugo may have a space behind the slash of what ends a block.
  const inside = words.startsWith('/') ? `/${words.slice(1).trimStart()}` : words;
  const name = before(inside, ' ');
  return { name, rest: inside.slice(name.length).trimStart(), isHugo: hexo === undefined };
}

const CODE_TAGS = new Set(['codeblock', 'code']);
const FRAMES = 'raw note quote blockquote centerquote cq tab tabs hideToggle span label'.split(' ');
/** They surround a text that stays. */
const FRAME_TAGS = new Set(FRAMES.flatMap((name) => [name, `end${name}`]));
const SIDES = new Set(['left', 'right', 'center']);

const isCodeTag = ({ name, isHugo }: Tag): boolean => (isHugo ? name === 'highlight' : CODE_TAGS.has(name));
const endsCode = ({ name, isHugo }: Tag, opened: Tag): boolean =>
  opened.isHugo
    ? isHugo && name === '/highlight'
    : !isHugo && name.startsWith('end') && CODE_TAGS.has(name.slice(3));
const languageOf = ({ rest, isHugo }: Tag): string =>
  (isHugo ? /^[\w+#-]+/.exec(rest)?.[0] : /\blang:([\w+#-]+)/.exec(rest)?.[1]) ?? '';

/** Blocks of code as Markdown has them. */
function withFences(text: string): string {
  let written = '';
  let done = 0;
  let open: { tag: Tag; from: number; inside: number } | null = null;
  for (const match of text.matchAll(TAG)) {
    const tag = readTag(match);
    const end = match.index + match[0].length;
    if (open === null) {
      if (isCodeTag(tag)) open = { tag, from: match.index, inside: end };
    } else if (endsCode(tag, open.tag)) {
      written +=
        text.slice(done, open.from) + fenced(languageOf(open.tag), text.slice(open.inside, match.index));
      done = end;
      open = null;
    }
  }
  return written + text.slice(done);
}

const unquoted = (text: string): string =>
  text.replace(/"[^"]*"|'[^']*'/g, (quoted) => ` ${quoted.slice(1, -1)} `);

function pictureOf(rest: string): string {
  const words = rest.split(' ').filter((word) => word !== '');
  if (SIDES.has(words[0] ?? '')) words.shift();
  const [name = '', ...others] = words;
  // Width and height may stand before the title.
  const sized = unquoted(others.join(' '))
    .split(' ')
    .filter((word) => word !== '');
  for (let count = 0; count < 2 && /^\d+$/.test(sized[0] ?? ''); count += 1) sized.shift();
  return `![${sized.join(' ')}](${name})`;
}

function figureOf(rest: string): string {
  const given = argumentsOf(rest);
  const words = given.get('alt') || given.get('caption') || given.get('title') || '';
  return `![${words}](${given.get('src') ?? ''})`;
}

/** What a tag becomes; `lost` is told of what cannot be kept. */
function rewriteTag({ name, rest, isHugo }: Tag, lost: Set<string>): string {
  if (isHugo && name === 'figure') return figureOf(rest);
  if (!isHugo && FRAME_TAGS.has(name)) return '';
  if (!isHugo && name === 'asset_img') return pictureOf(rest);
  if (!isHugo && (name === 'post_link' || name === 'asset_link')) {
    lost.add('指向站内其他文章的链接只保留了文字');
    const slug = before(rest, ' ');
    return (
      rest
        .slice(slug.length)
        .replace(/['"]|\b(?:true|false)\b/g, '')
        .trim() || slug
    );
  }
  if (!isHugo && ['youtube', 'bilibili', 'vimeo'].includes(name)) {
    lost.add('嵌入的视频没有导入');
    return `（视频：${before(rest, ' ')}）`;
  }
  lost.add(`去掉了不认识的标签「${name.replace(/^\//, '')}」`);
  return '';
}

/** Hexo's tags and Hugo's shortcodes as Markdown, where it can say the same. */
export function withoutTags(body: string): Rewritten {
  const lost = new Set<string>();
  // Blocks of code first: what they hold is no longer looked at.
  const text = outsideCode(outsideCode(body, withFences), (part) => {
    let written = '';
    let done = 0;
    for (const match of part.matchAll(TAG)) {
      const tag = readTag(match);
      if (!/^\/?\w/.test(tag.name)) continue;
      written += part.slice(done, match.index) + rewriteTag(tag, lost);
      done = match.index + match[0].length;
    }
    return written + part.slice(done);
  });
  return { text, notes: [...lost] };
}
