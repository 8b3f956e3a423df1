import { randomBytes } from 'node:crypto';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createPicture } from '../../../testing/pictures.ts';
import { toXhtml } from './xhtml.ts';

let t: TestApp;
let writer: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  writer = await createWriter(t, '林 & 砚');
});
afterAll(() => t.close());

interface Node {
  name: string;
  attributes: Map<string, string>;
  children: (Node | string)[];
}

const ENTITY = /&(?:(amp|lt|gt|quot)|#x([0-9a-f]+));/gi;
const plain: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Parses strictly: one root, correct nesting, and unique quoted attributes. */
function parseXml(xml: string): Node {
  const fail = (what: string): never => {
    throw new Error(`not well-formed: ${what}`);
  };
  const text = (raw: string): string => {
    if (/&(?!(?:amp|lt|gt|quot|#x[0-9a-f]+);)|<|\]\]>/i.test(raw)) fail(raw);
    return raw.replace(ENTITY, (_, name?: string, code?: string) =>
      name === undefined ? String.fromCodePoint(Number.parseInt(code ?? '', 16)) : (plain[name] ?? ''),
    );
  };
  const body = xml.replace(/^<\?xml version="1\.0" encoding="utf-8"\?>\n(<!DOCTYPE html>\n)?/, '');
  const top: Node = { name: '', attributes: new Map(), children: [] };
  const open = [top];
  const token = /<(\/?)([a-z][\w:-]*)((?:\s+[a-z][\w:-]*="[^"<]*")*)\s*(\/?)>|([^<]+)/gi;
  let at = 0;
  for (const match of body.matchAll(token)) {
    if (match.index !== at) fail(body.slice(at, match.index));
    at += match[0].length;
    const [, close, name = '', attributes = '', empty, content] = match;
    const parent = open.at(-1) ?? fail('nothing is open');
    if (content !== undefined) parent.children.push(text(content));
    else if (close === '/') {
      if (open.pop()?.name !== name) fail(match[0]);
    } else {
      const node: Node = { name, attributes: new Map(), children: [] };
      for (const [, key = '', value = ''] of attributes.matchAll(/([a-z][\w:-]*)="([^"]*)"/gi)) {
        if (node.attributes.has(key)) fail(match[0]);
        node.attributes.set(key, text(value));
      }
      parent.children.push(node);
      if (empty !== '/') open.push(node);
    }
  }
  if (at !== body.length || open.length !== 1) fail('the end');
  const [root, ...others] = top.children.filter((child) => typeof child !== 'string');
  if (root === undefined || others.length > 0) return fail('more than one root');
  return root;
}

const all = (node: Node): Node[] => [
  node,
  ...node.children.flatMap((child) => (typeof child === 'string' ? [] : all(child))),
];
const named = (node: Node, name: string) => all(node).filter((each) => each.name === name);
const textOf = (node: Node): string =>
  node.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');

async function fetchBook(essayId: string, token?: string) {
  const asked = await t.call('POST core/essay/download', { essayId, format: 'epub' }, { token });
  const response = await t.app.server.inject(asked.data.url);
  expect(response.statusCode).toBe(200);
  const files = unzipSync(response.rawPayload);
  const read = (path: string) => new TextDecoder().decode(files[path]);
  return { response, files, read };
}

/** The basic checks of EPUBCheck. */
function checkBook({ response, files, read }: Awaited<ReturnType<typeof fetchBook>>) {
  const raw = response.rawPayload;
  // The first entry must be uncompressed and without extra fields.
  expect(raw.readUInt16LE(8)).toBe(0);
  expect(raw.subarray(30, 58).toString()).toBe('mimetypeapplication/epub+zip');
  const rootfile = named(parseXml(read('META-INF/container.xml')), 'rootfile')[0];
  expect(rootfile?.attributes.get('full-path')).toBe('EPUB/package.opf');
  const book = parseXml(read('EPUB/package.opf'));
  const items = named(book, 'item');
  const hrefs = items.map((item) => item.attributes.get('href') ?? '');
  const listed = Object.keys(files).filter((path) => !/^mimetype$|^META-INF\/|\.opf$/.test(path));
  expect(hrefs.map((href) => `EPUB/${href}`).toSorted()).toEqual(listed.toSorted());
  expect(new Set(items.map((item) => item.attributes.get('id'))).size).toBe(items.length);
  const ids = new Set(items.map((item) => item.attributes.get('id')));
  for (const each of named(book, 'itemref')) expect(ids).toContain(each.attributes.get('idref'));

  const documents = new Map(
    hrefs.filter((href) => href.endsWith('.xhtml')).map((href) => [href, parseXml(read(`EPUB/${href}`))]),
  );
  const idsIn = new Map(
    [...documents].map(([href, root]) => [
      href,
      all(root).flatMap((node) => node.attributes.get('id') ?? []),
    ]),
  );
  for (const [href, root] of documents) {
    const own = idsIn.get(href) ?? [];
    expect(new Set(own).size).toBe(own.length);
    for (const id of own) expect(id).toMatch(/^[a-z][\w-]*$/);
    expect(named(root, 'script')).toEqual([]);
    for (const node of all(root)) {
      for (const attribute of ['src', 'href']) {
        const address = node.attributes.get(attribute);
        if (address === undefined || (node.name === 'a' && /^(https?|mailto):/.test(address))) continue;
        const [path = '', fragment] = address.split('#');
        expect([href, ...hrefs]).toContain(path || href);
        if (fragment !== undefined) expect(idsIn.get(path || href)).toContain(fragment);
      }
      expect([...node.attributes.keys()].filter((key) => /^on|^style$|^srcset$|^align$/.test(key))).toEqual(
        [],
      );
    }
    const item = items.find((each) => each.attributes.get('href') === href);
    expect(item?.attributes.get('properties') === 'mathml').toBe(named(root, 'math').length > 0);
  }
  return { book, items, documents };
}

async function storePicture(background: string): Promise<string> {
  return t.app.services.files.put(await createPicture({ background }).webp().toBuffer(), 'webp');
}

test('builds a valid book from a text with all features', async () => {
  const [photo, drawing] = [await storePicture('#0a5'), await storePicture('#ff000080')];
  const content = `# 一级 & <b>题</b>

正文 [站内](/home?a=1&b=2)、[别处](https://example.com/?x=1&y=2)、[这里](#第二节)、[无处](#none)。脚注[^注]与 $a<b$。<kbd>Ctrl</kbd><br>

- [x] 完成
- [ ] 未完

## 第二 🚀 节

\`\`\`ts {2} title="a.ts"
const a = b[c[0]]>1 && "<x>";
// 第二行
\`\`\`

### 第三层

| 左 | 右 |
|:--|--:|
| 1 | 2 |

$$\\sum_{i=1}^n \\frac{x_i}{2}$$

![图 "一" <1>](${photo} "说明")

![透明](${drawing}) ![同一张](${photo}) ![没有了](/files/ab/${'c'.repeat(62)}.webp) ![外面的](https://example.com/a.png)

\`\`\`mermaid
graph TD; A-->B
\`\`\`

> [!NOTE] 留意
> 内容

<details open><summary>更多</summary>里面</details>

[^注]: 脚注的内容
`;
  const essayId = await publishEssay(t, writer, {
    title: 'TCP/IP & <从头>说起',
    content,
    tags: ['网络'],
    summary: '一句 & 话',
  });
  const fetched = await fetchBook(essayId);
  expect(fetched.response.headers).toMatchObject({
    'content-type': 'application/epub+zip',
    'content-disposition': expect.stringMatching(
      /^attachment; filename="TCP-IP.*\.epub"; filename\*=UTF-8''TCP-IP.*\.epub$/,
    ),
  });
  const { book, items, documents } = checkBook(fetched);
  const fact = (name: string) => named(book, name).map(textOf);
  expect(fact('dc:title')).toEqual(['TCP/IP & <从头>说起']);
  expect(fact('dc:creator')).toEqual(['林 & 砚']);
  expect(fact('dc:language')).toEqual(['zh-CN']);
  expect(fact('dc:identifier')).toEqual([
    expect.stringMatching(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  ]);
  expect(fact('dc:subject')).toEqual(['网络']);
  expect(fact('meta')).toContainEqual(expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/));

  const types = items.map((item) => item.attributes.get('media-type'));
  expect(types.filter((type) => type === 'image/jpeg')).toHaveLength(2);
  expect(types.filter((type) => type === 'image/png')).toHaveLength(1);
  for (const item of items.filter((each) => each.attributes.get('media-type')?.startsWith('image/'))) {
    const { format } = await sharp(fetched.files[`EPUB/${item.attributes.get('href')}`]).metadata();
    expect(`image/${format}`).toBe(item.attributes.get('media-type'));
  }

  const text = documents.get('text.xhtml');
  const nav = documents.get('nav.xhtml');
  if (text === undefined || nav === undefined) throw new Error('no text');
  expect(named(text, 'math')).toHaveLength(2);
  for (const math of named(text, 'math'))
    expect(math.attributes.get('xmlns')).toBe('http://www.w3.org/1998/Math/MathML');
  expect(named(text, 'pre').map(textOf)).toEqual([
    'const a = b[c[0]]>1 && "<x>";\n// 第二行',
    'graph TD; A-->B',
  ]);
  expect(named(text, 'button')).toEqual([]);
  expect(named(text, 'img')).toHaveLength(3);
  expect(textOf(text)).toContain('没有了');
  expect(textOf(text)).toContain('☑ 完成');
  expect(textOf(text)).toContain('脚注的内容');
  const links = named(text, 'a').map((link) => link.attributes.get('href'));
  expect(links).toContain('http://site.test/home?a=1&b=2');
  expect(links).toContain('https://example.com/?x=1&y=2');
  expect(
    named(text, 'a')
      .find((link) => textOf(link) === '无处')
      ?.attributes.has('href'),
  ).toBe(false);
  const contents = named(nav, 'nav')[0];
  expect(contents && named(contents, 'a').map(textOf)).toEqual([
    'TCP/IP & <从头>说起',
    '一级 & 题',
    '第二 🚀 节',
  ]);
});

test('is well-formed for hostile texts and titles', async () => {
  const texts = [
    '<script>alert(1)</script><img src=x onerror=alert(1)><svg><style>*{}</style></svg>',
    `<a href="javascript:alert(1)">x</a> <a href='/a"b<c'>y</a> <i title="a<b&amp;c">z</i>`,
    ']]> <![CDATA[x]]> <?php ?> <!-- c --> &#8;&#xfffe;',
    '[a](<http://[bad>) [b](http://exa mple.com) &nbsp;&copy;&unknown; &#0; &lt;p&gt;',
    '$\\text{<script>}$ $$\\begin{matrix}a & b\\\\ c & d\\end{matrix}$$ $\\color{red}{x}$ $\\href{https://a.com}{y}$',
    '[x](/a "<button>")\n\n```ts\na\n```\n\n[y](/b "><script>alert(1)</script>")',
    `## [x](/a '<a class="anchor">')\n\n[y](/b '</a><script>alert(1)</script>')\n\n## z`,
    '<ol reversed start="3"><li>a</ol>\n\n<table><caption>c</caption><tr><td colspan=2 align=center>x</table>',
  ];
  for (const [index, content] of texts.entries()) {
    const essayId = await publishEssay(t, writer, { title: `${index} ]]> "引号" 🚀`, content });
    checkBook(await fetchBook(essayId));
  }
});

test('keeps allowed elements only, and drops buttons with their content', () => {
  const options = { siteUrl: '', pageUrl: '', pictures: new Map<string, string>() };
  const toBody = (html: string) => toXhtml(html, options).body;
  expect(toBody('<p>a<button title="</button>">b<i>c</i></button>d</p>')).toBe('<p>ad</p>');
  expect(toBody('<h2 id="x">a<a class="anchor" href="#x"><span>b</span></a></h2>')).toBe(
    '<h2 id="n1">a</h2>',
  );
  expect(toBody('<p><script src="x">a</script><svg onload="y"></svg><object>b</object></p>')).toBe(
    '<p>ab</p>',
  );
  expect(toBody('<a href="https://a.test/">x</a><a href="/b">y</a>')).toBe(
    '<a href="https://a.test/">x</a><a>y</a>',
  );
});

test('limits the number and total size of pictures', async () => {
  const makeText = (paths: string[]) => paths.map((path) => `![图](${path})`).join('\n\n');
  const countPictures = async (paths: string[]) => {
    const { items } = checkBook(await fetchBook(await publishEssay(t, writer, { content: makeText(paths) })));
    return items.filter((item) => item.attributes.get('href')?.startsWith('images/')).length;
  };
  const small: string[] = [];
  for (let i = 0; i < 101; i++) small.push(await storePicture(`#${(0x101010 + i * 0x020202).toString(16)}`));
  expect(await countPictures(small)).toBe(100);
  const large: string[] = [];
  for (let i = 0; i < 3; i++) {
    const noise = sharp(randomBytes(1600 * 1600 * 4), { raw: { width: 1600, height: 1600, channels: 4 } });
    large.push(await t.app.services.files.put(await noise.png({ compressionLevel: 0 }).toBuffer(), 'png'));
  }
  expect(await countPictures([...large, ...small.slice(0, 1)])).toBe(2);
});

test('omits links to the site if its URL is not configured', async () => {
  const appWithoutSiteUrl = await startTestApp({
    sameDatabaseAs: t,
    config: { siteUrl: null, basePath: '/mo' },
  });
  const content = '[站内](/home) [别处](https://example.com/)';
  const essayId = await publishEssay(t, writer, { content });
  const fetchFrom = async (format: string) => {
    const asked = await appWithoutSiteUrl.call('POST core/essay/download', { essayId, format });
    return appWithoutSiteUrl.app.server.inject(asked.data.url);
  };
  const files = unzipSync((await fetchFrom('epub')).rawPayload);
  const read = (path: string) => parseXml(new TextDecoder().decode(files[path]));
  const links = named(read('EPUB/text.xhtml'), 'a').flatMap((link) => link.attributes.get('href') ?? []);
  expect(links).toEqual(['https://example.com/']);
  expect(named(read('EPUB/package.opf'), 'dc:source')).toEqual([]);
  expect((await fetchFrom('md')).body).toContain(`/mo/essay/detail/${essayId}.html`);
  await appWithoutSiteUrl.close();
});

test('contains the full text for users who may read it', async () => {
  const content = `开头。\n\n${'中间。\n\n'.repeat(50)}结尾。`;
  const essayId = await publishEssay(t, writer, { content, price: 500, previewPercent: 10 });
  const { documents } = checkBook(await fetchBook(essayId, writer.token));
  const text = documents.get('text.xhtml');
  expect(text && textOf(text)).toContain('结尾。');
});
