import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CallError } from '@mozhan/contract/errors.ts';
import { expect, test, vi } from 'vitest';
import { createArchive, readAll } from '../../../../testing/archive.ts';
import type { FormatName } from './formats.ts';
import { getList, parseFrontMatter } from './front-matter.ts';
import { ghost } from './ghost.ts';
import { hexo } from './hexo.ts';
import { htmlToMarkdown } from './html.ts';
import { hugo } from './hugo.ts';
import { createLinkIndex } from './links.ts';
import { fillPattern } from './permalinks.ts';
import { readFormat } from './read-format.ts';
import { resolveContent } from './references.ts';
import type { Archive, ImportedItem, Upload } from './types.ts';
import { wordpress } from './wordpress.ts';

const SAMPLES = join(import.meta.dirname, 'samples');

/** A folder of samples with empty files as pictures. */
function sample(folder: string, ...pictures: string[]): Archive & Upload {
  const root = join(SAMPLES, folder);
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const texts = names.map((name) => [name, readFileSync(join(root, name), 'utf8')]);
  return createArchive(Object.fromEntries([...texts, ...pictures.map((name) => [name, ''])]));
}

const single = (name: string, ...pictures: string[]): Archive & Upload =>
  createArchive(
    Object.fromEntries([
      [name, readFileSync(join(SAMPLES, name), 'utf8')],
      ...pictures.map((each) => [each, '']),
    ]),
  );

test('Hexo: reads front matter, tags, and pictures of the post and of the site', async () => {
  const archive = sample('hexo', 'source/_posts/connection-pool/curve.png', 'source/images/pool.png');
  expect(await hexo.detect(archive)).toBe(true);
  const { essays, pages, skipped } = await readAll(hexo, archive);
  const pool = essays.get('source/_posts/connection-pool.md');
  expect(pool).toMatchObject({
    title: '连接池为什么越大越慢',
    slug: 'connection-pool',
    tags: ['PostgreSQL', '性能'],
    categories: ['编程', '数据库'],
    cover: 'source/images/pool.png',
    author: { displayName: '林小栈' },
    status: 'published',
    summary: '连接不是越多越好：每个连接背后都是一个进程。',
    createdAt: new Date('2023-05-06T09:30:00+08:00'),
    publishedAt: new Date('2023-05-06T09:30:00+08:00'),
    updatedAt: new Date('2023-06-01T20:15:00+08:00'),
    pictures: ['source/_posts/connection-pool/curve.png', 'source/images/pool.png'],
    internalLinks: [
      {
        url: '/2022/11/08/2022-11-08-wait-events/',
        key: 'source/_posts/2022-11-08-wait-events.markdown',
      },
    ],
    oldUrls: ['/2023/05/06/connection-pool/'],
    notes: ['不认识的标签「btn」原样留在正文里'],
  });
  expect(pool?.content).toContain('![吞吐量随连接数变化](source/_posts/connection-pool/curve.png)');
  expect(pool?.content).toContain('![示意图](source/images/pool.png "队列")');
  expect(pool?.content).toContain('```sql\nselect count(*) from pg_stat_activity; -- {% raw %}\n```');
  expect(pool?.content).toContain('{% asset_img 这里是代码，不要动 %}');
  expect(pool?.content).toContain('上一篇：[认识等待事件](/2022/11/08/2022-11-08-wait-events/)。{% btn');
  expect(essays.get('source/_posts/2022-11-08-wait-events.markdown')).toMatchObject({
    slug: 'wait-events',
    tags: ['PostgreSQL', '等待'],
    publishedAt: new Date('2022-11-08T00:00:00+08:00'),
    notes: ['没有找到图片 missing.png'],
  });
  expect(essays.get('source/_drafts/unfinished.md')).toMatchObject({ status: 'draft', publishedAt: null });
  expect(essays.get('source/_posts/broken.md')).toMatchObject({
    title: 'broken',
    content: '文件头坏了，正文还在。',
    status: 'draft',
    statusReason: '文件头的格式不对，没有读取，作为草稿导入',
  });
  expect([...pages.keys()]).toEqual(['source/about/index.md']);
  expect(pages.get('source/about/index.md')).toMatchObject({ oldUrls: ['/about/'] });
  expect(skipped).toEqual({});
});

test('Hugo: reads TOML and JSON front matter, bundles and shortcodes', async () => {
  const archive = sample('hugo', 'content/posts/two-clocks/clock.png', 'static/images/header.png');
  expect([await hexo.detect(archive), await hugo.detect(archive)]).toEqual([false, true]);
  const { essays, skipped } = await readAll(hugo, archive);
  const clocks = essays.get('content/posts/two-clocks/index.md');
  expect(clocks).toMatchObject({
    title: '两只钟',
    slug: 'two-clocks',
    tags: ['分布式', '时间'],
    categories: ['编程'],
    cover: 'content/posts/two-clocks/clock.png',
    summary: '墙上的钟会倒着走，另一只不会。',
    publishedAt: new Date('2024-02-03T00:00:00Z'),
    updatedAt: new Date('2024-02-05T00:00:00Z'),
    oldUrls: ['/posts/two-clocks/'],
    notes: ['不认识的标签「myshortcode」原样留在正文里'],
  });
  expect(clocks?.content).toContain('![墙上的钟](content/posts/two-clocks/clock.png)');
  expect(clocks?.content).toContain('```go\nstart := time.Now()\n```');
  expect(clocks?.content).toContain('![题图](static/images/header.png)');
  expect(essays.get('content/posts/json-head.md')).toMatchObject({
    title: 'JSON 写的文件头',
    status: 'draft',
    content: '正文。',
  });
  expect(skipped).toEqual({ 'content/posts/_index.md': '栏目页，没有导入' });
});

test('Ghost: converts HTML, keeps Markdown unchanged, and does not publish restricted posts', async () => {
  const archive = single('ghost.json', 'content/images/2024/05/graph.png');
  expect([await ghost.detect(archive), await wordpress.detect(archive), await hexo.detect(archive)]).toEqual([
    true,
    false,
    false,
  ]);
  const { essays, pages, skipped } = await readAll(ghost, archive);
  const stampede = essays.get('664f0c1a1b2c3d0001a1b2c3');
  expect(stampede).toMatchObject({
    title: '缓存击穿的一个下午',
    slug: 'cache-stampede',
    summary: '一个键过期，带走了一个下午。',
    tags: ['缓存', '后端'],
    author: { account: 'zhoumu', displayName: '周木' },
    status: 'published',
    publishedAt: new Date('2024-05-24T02:00:00Z'),
    cover: null,
    pictures: ['content/images/2024/05/graph.png'],
  });
  expect(stampede?.content).toContain('那天下午，**一个键**过期了。');
  expect(stampede?.content).toContain('![监控](content/images/2024/05/graph.png)');
  expect(stampede?.content).toContain('```ts\nconst value = await once(key, load);\n```');
  expect(stampede?.content).toContain('[singleflight 的做法](https://example.com/singleflight)');
  expect(stampede?.content).toContain('- 合并请求\n- 提前续期');
  expect(stampede?.content).toContain('[嵌入的内容](https://player.example.com/v/42)');
  expect(stampede?.content).not.toContain('alert');
  expect(stampede?.notes).toEqual([
    '没有找到封面 /content/images/2024/05/cover.png',
    '嵌入的内容改成了链接',
    '去掉了脚本或表单',
  ]);
  const bare = await readAll(ghost, single('ghost.json'));
  expect(bare.essays.get('664f0c1a1b2c3d0001a1b2c3')?.notes).toContain(
    '没有找到图片 /content/images/2024/05/graph.png',
  );
  expect(essays.get('664f0c1a1b2c3d0001a1b2c4')).toMatchObject({
    status: 'draft',
    content: '## 小标题\n\n- [ ] 保持原样',
  });
  expect(essays.get('664f0c1a1b2c3d0001a1b2c5')).toMatchObject({
    status: 'paid',
    statusReason: '原文只给付费会员看，作为草稿导入，设好价格后再发布',
    publishedAt: expect.any(Date),
    notes: [],
  });
  expect([...pages.keys()]).toEqual(['664f0c1a1b2c3d0001a1b2c6']);
  expect(skipped).toEqual({ 'ghost.json#4': '这篇文章的格式不对' });
});

test('WordPress: reads both editors, shortcodes, and pictures by their path', async () => {
  const archive = single('wordpress.xml', 'wp-content/uploads/2024/05/desk.jpg');
  expect([await wordpress.detect(archive), await ghost.detect(archive)]).toEqual([true, false]);
  const { essays, pages, skipped } = await readAll(wordpress, archive);
  const blocks = essays.get('12');
  expect(blocks).toMatchObject({
    title: '用块编辑器写的一篇 & 更多',
    slug: '块',
    summary: '块编辑器的*第一篇*',
    tags: ['WordPress', '搬家'],
    categories: ['编程'],
    cover: 'wp-content/uploads/2024/05/desk.jpg',
    author: { account: 'suhe', displayName: '苏禾' },
    status: 'published',
    publishedAt: new Date('2024-05-02T01:00:00Z'),
    updatedAt: new Date('2024-05-03T01:00:00Z'),
    comments: [{ id: '3', parentId: null, name: '路人', status: 'pending', content: '写得好' }],
    oldUrls: ['/blocks/', '/?p=12'],
    notes: [],
  });
  expect(blocks?.content).toContain('第一段，带[链接](https://example.com)。');
  expect(blocks?.content).toContain('![书桌](wp-content/uploads/2024/05/desk.jpg)');
  expect(blocks?.content).toContain('if (a < b) swap();');
  expect(blocks?.content).toContain('| 甲 | 乙 |');
  const older = essays.get('13');
  expect(older).toMatchObject({
    status: 'private',
    statusReason: '原文是私密的，作为草稿导入',
    categories: [],
    createdAt: new Date('2015-01-02T09:00:00+08:00'),
    notes: ['短代码「gallery」没有导入'],
  });
  expect(older?.content).toMatch(/^第一段(\\| {2})\n换行\n/);
  expect(older?.content).toContain('我的书桌');
  expect(older?.content).toContain('```python\nif a < b:\n\n    print("两段之间有空行")\n```');
  expect(pages.get('2')).toMatchObject({ title: '关于', content: '关于我' });
  expect(skipped).toEqual({ 14: '在回收站里，没有导入' });
});

test('skips and reports truncated files and files that define entities', async () => {
  const xmlText = readFileSync(join(SAMPLES, 'wordpress.xml'), 'utf8');
  const bomb = xmlText.replace('<rss', '<!DOCTYPE rss [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>\n<rss');
  for (const xml of [xmlText.slice(0, 3000), bomb]) {
    const { essays, skipped } = await readAll(wordpress, createArchive({ 'a.xml': xml }));
    expect(essays.size).toBe(0);
    expect(skipped).toEqual({ 'a.xml': '不是 WordPress 导出的文件，或没有下载完整' });
  }
  expect((await readAll(ghost, createArchive({ 'a.json': '{"db":[{"data":{"posts":[' }))).skipped).toEqual({
    'a.json': '不是 Ghost 导出的文件',
  });
});

test('finds pictures in every syntax and does not change code', () => {
  const archive = createArchive({ 'a b(1).png': '', 'c.png': '' });
  const text =
    '![x](a%20b(1).png) ![y](<a b(1).png> "t") <img src="c.png"> `![](c.png)`\n\n![z][r]\n\n[r]: c.png\n';
  const { content, pictures } = resolveContent(text, {
    archive,
    find: (address) => [decodeURIComponent(address)],
    links: createLinkIndex(''),
    from: '',
    key: '',
  });
  expect(pictures).toEqual(['a%20b%281%29.png', 'c.png']);
  expect(content).toBe(
    '![x](a%20b%281%29.png) ![y](a%20b%281%29.png "t") <img src="c.png"> `![](c.png)`\n\n![z][r]\n\n[r]: c.png\n',
  );
});

test('converts embedded media to links or reports them', () => {
  expect(
    htmlToMarkdown('<video><source src="https://v.example.com/a.mp4"></video><audio src="a.mp3"></audio>'),
  ).toEqual({
    content: '[视频](https://v.example.com/a.mp4)\n\n[音频](a.mp3)',
    notes: ['视频改成了链接', '音频改成了链接'],
  });
});

test('the worker thread returns the same items as the format', async () => {
  const archive = single('ghost.json', 'content/images/2024/05/pool.png');
  const read: ImportedItem[] = [];
  for await (const item of readFormat('ghost', archive)) read.push(item);
  const expected: ImportedItem[] = [];
  for await (const item of ghost.read(archive)) expected.push(item);
  expect(read).toEqual(expected);
});

test('does not skip a file when the storage is temporarily unavailable', async () => {
  const archive = {
    ...createArchive({ 'a.md': '一段话' }),
    readContent: () => Promise.reject(new CallError('UNAVAILABLE')),
  };
  await expect(readFormat('hexo', archive).next()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('reports a damaged file, and does not report internal errors as too complex files', async () => {
  const ghosts = single('ghost.json');
  const damaged = new CallError('INVALID', { message: '文件已损坏' });
  const archive: Upload = {
    ...ghosts,
    names: () => ['damaged.json', 'ghost.json'],
    readContent: (name, maxBytes) =>
      name === 'ghost.json' ? ghosts.readContent(name, maxBytes) : Promise.reject(damaged),
  };
  const [first, ...others] = await Array.fromAsync(readFormat('ghost', archive));
  expect(first).toEqual({ kind: 'skipped', key: 'damaged.json', skipped: '文件已损坏' });
  expect(others.length).toBeGreaterThan(1);
  const unknown = 'drupal' as FormatName;
  await expect(readFormat(unknown, archive).next()).rejects.toThrow(TypeError);
});

test('does not parse extremely long front matter', () => {
  const keys = Array.from({ length: 300_000 }, (_, n) => `k${n}: 1`).join('\n');
  expect(parseFrontMatter(`---\n${keys}\n---\n正文`)).toEqual({ fields: {}, body: '正文', isBroken: true });
  expect(parseFrontMatter('---\na: 1\na: 2\n---\n正文').fields).toEqual({ a: 2 });
});

test('a list that contains itself many times stays short', () => {
  const { fields } = parseFrontMatter(
    `---\ntags: &all [甲, ${Array.from({ length: 20 }, () => '*all').join(', ')}]\n---\n正文`,
  );
  const flat = vi.spyOn(Array.prototype, 'flat');
  expect(getList(fields, 'tags')).toEqual(['甲']);
  const lengths = flat.mock.results.map(({ value }) => value.length);
  flat.mockRestore();
  expect(Math.max(...lengths)).toBeLessThan(50_000);
});

test('the names of functions that every object has are no placeholders', () => {
  expect(fillPattern('/:constructor/:title/', { title: 'a' })).toBeNull();
  expect(fillPattern('/{__proto__}/{title}', { title: 'a' })).toBeNull();
});

test('links to configurations and hidden files do not publish them', async () => {
  const links = [
    '/_config.yml',
    '../../_config.yml',
    '/.env',
    '/db.json',
    '/.git/config',
    'own.yml',
    '/a.pdf',
  ];
  const { essays } = await readAll(
    hexo,
    createArchive({
      'blog/_config.yml': 'title: 一\ndeploy_token: secret',
      'blog/.env': 'TOKEN=secret',
      'blog/db.json': '{}',
      'blog/.git/config': 'secret',
      'blog/source/a.pdf': '',
      'blog/source/_posts/a/own.yml': '',
      'blog/source/_posts/a.md': `---\ntitle: 一\n---\n${links.map((link) => `[文件](${link})`).join('\n')}`,
    }),
  );
  expect(essays.get('blog/source/_posts/a.md')?.attachments).toEqual([
    { url: 'own.yml', name: 'blog/source/_posts/a/own.yml' },
    { url: '/a.pdf', name: 'blog/source/a.pdf' },
  ]);
});
