import { expect, test } from 'vitest';
import { createArchive, readAll } from '../../../../testing/archive.ts';
import { ghost } from './ghost.ts';
import { halo } from './halo.ts';
import { applyPatch } from './halo-snapshots.ts';
import { readSqlDump } from './sql-dump.ts';
import { typecho } from './typecho.ts';

const stored = (kind: string, name: string, value: object) => ({
  name: `/registry/${kind}/${name}`,
  data: Buffer.from(
    JSON.stringify({ metadata: { name, creationTimestamp: '2024-01-01T00:00:00Z' }, ...value }),
  ).toString('base64'),
  version: 1,
});

test('Halo 2: versions, categories, comments with replies, visibility and files', async () => {
  const content = 'content.halo.run';
  const spec = (more: object) => ({
    spec: {
      title: '一',
      slug: 'yi',
      baseSnapshot: 's1',
      headSnapshot: 's1',
      releaseSnapshot: 's1',
      owner: 'mu',
      publish: true,
      publishTime: '2024-01-02T00:00:00Z',
      visible: 'PUBLIC',
      allowComment: true,
      ...more,
    },
  });
  const patch = JSON.stringify([
    { source: { position: 1, lines: ['二'] }, target: { position: 1, lines: ['贰', '叁'] }, type: 'CHANGE' },
  ]);
  const archive = createArchive({
    'extensions.data': JSON.stringify([
      stored(`${content}/snapshots`, 's1', {
        spec: { rawType: 'markdown', rawPatch: '一\n二', contentPatch: '<p>一</p>' },
      }),
      stored(`${content}/snapshots`, 's2', {
        spec: { rawType: 'markdown', rawPatch: patch, contentPatch: '[]' },
      }),
      stored(`${content}/snapshots`, 's3', {
        spec: {
          rawType: 'HTML',
          rawPatch: '<p>图<img src="/upload/a.png"></p>',
          contentPatch: '<p>图<img src="/upload/a.png"></p>',
        },
      }),
      stored(`${content}/posts`, 'p1', {
        ...spec({
          releaseSnapshot: 's2',
          pinned: true,
          categories: ['k1'],
          tags: ['t1'],
          cover: '/upload/a.png',
        }),
        status: {
          permalink: '/archives/yi',
          contributors: ['mu', 'he'],
          lastModifyTime: '2024-02-02T00:00:00Z',
        },
      }),
      stored(
        `${content}/posts`,
        'p2',
        spec({
          title: '二',
          slug: 'er',
          baseSnapshot: 's3',
          headSnapshot: 's3',
          releaseSnapshot: 's3',
          visible: 'PRIVATE',
          allowComment: false,
        }),
      ),
      stored(`${content}/posts`, 'p3', spec({ title: '三', visible: 'INTERNAL' })),
      stored(`${content}/posts`, 'p4', spec({ title: '四', publish: false })),
      stored(`${content}/posts`, 'p5', spec({ title: '删', deleted: true })),
      stored(`${content}/posts`, 'p6', spec({ title: '藏', categories: ['k2'] })),
      stored(`${content}/posts`, 'p7', { spec: null }),
      stored(`${content}/singlepages`, 'g1', spec({ title: '关于', slug: 'about' })),
      stored(`${content}/categories`, 'k1', { spec: { displayName: '随笔', slug: 'sb' } }),
      stored(`${content}/categories`, 'k2', {
        spec: { displayName: '暗处', slug: 'ac', hideFromList: true },
      }),
      stored(`${content}/tags`, 't1', { spec: { displayName: '山', slug: 's' } }),
      stored('users', 'mu', { spec: { displayName: '周木', email: 'mu@m.test' } }),
      stored(`${content}/comments`, 'c1', {
        spec: {
          content: '<p>好</p>',
          approved: true,
          owner: {
            kind: 'Email',
            name: 'r@r.test',
            displayName: '读者',
            annotations: { website: 'https://r.test' },
          },
          subjectRef: { kind: 'Post', name: 'p1' },
          creationTime: '2024-01-03T00:00:00Z',
          ipAddress: '1.2.3.4',
        },
      }),
      stored(`${content}/replies`, 'r1', {
        spec: {
          content: '谢谢',
          approved: false,
          owner: { kind: 'User', name: 'mu', displayName: '周木' },
          commentName: 'c1',
        },
      }),
      stored('configmaps', 'system', {
        data: {
          basic: '{"title":"木站","externalUrl":"https://mu.test"}',
          routeRules: '{"post":"/archives/{slug}"}',
        },
      }),
    ]),
    'workdir/attachments/upload/a.png': '',
  });
  expect(await halo.detect(archive)).toBe(true);
  const { essays, pages, skipped, site } = await readAll(halo, archive);
  const first = essays.get('p1');
  expect(first).toMatchObject({
    sourceId: 'halo:p1',
    content: '一\n贰\n叁',
    isPinned: true,
    categories: ['随笔'],
    tags: ['山'],
    cover: 'workdir/attachments/upload/a.png',
    author: { account: 'mu', displayName: '周木' },
    authors: ['周木', 'he'],
    oldUrls: ['/archives/yi'],
    updatedAt: new Date('2024-02-02T00:00:00Z'),
    comments: [
      { id: 'c1', parentId: null, name: '读者', url: 'https://r.test', status: 'approved', content: '好' },
      { id: 'r1', parentId: 'c1', name: '周木', status: 'pending', content: '谢谢' },
    ],
  });
  expect(JSON.stringify(first)).not.toMatch(/r@r\.test|1\.2\.3\.4/);
  expect(essays.get('p2')).toMatchObject({
    content: '图![](workdir/attachments/upload/a.png)',
    status: 'private',
    commentsClosed: true,
  });
  expect(['p3', 'p4', 'p6'].map((key) => essays.get(key)?.status)).toEqual(['members', 'draft', 'hidden']);
  expect(pages.get('g1')?.oldUrls).toEqual(['/about']);
  expect(skipped).toEqual({
    p5: '在回收站里，没有导入',
    '/registry/content.halo.run/posts/p7': '这篇文章的格式不对',
  });
  expect(site).toMatchObject({ title: '木站', baseUrl: 'https://mu.test' });
});

test('Halo 2: differences that do not fit are reported', () => {
  const delta = (position: number, lines: string[], type: string) =>
    JSON.stringify([{ source: { position, lines: [] }, target: { position, lines }, type }]);
  expect(applyPatch('a\nb', delta(1, ['x'], 'INSERT'))).toBe('a\nx\nb');
  expect(applyPatch('', delta(0, ['x'], 'INSERT'))).toBe('x');
  expect(applyPatch('a', '[]')).toBe('a');
  expect(applyPatch('a', delta(5, ['x'], 'INSERT'))).toBeNull();
  expect(applyPatch('a', 'x')).toBeNull();
});

test('Halo 1: reads the JSON export', async () => {
  const base = { status: 'PUBLISHED', createTime: 1704135845000, disallowComment: false, topPriority: 0 };
  const json = JSON.stringify({
    version: '1.6.0',
    posts: [
      { ...base, id: 1, title: '一', slug: 'yi', topPriority: 1, thumbnail: 'https://pic.test/c.png' },
      { ...base, id: 2, title: '二', slug: 'er', password: 'x' },
      { ...base, id: 3, title: '三', slug: 'san', status: 'INTIMATE' },
      { ...base, id: 4, title: '四', slug: 'si', status: 'RECYCLE' },
    ],
    sheets: [{ ...base, id: 5, title: '关于', slug: 'about' }],
    contents: [1, 2, 3, 5].map((id) => ({ id, originalContent: `正文${id}` })),
    tags: [{ id: 1, name: '山' }],
    categories: [{ id: 1, name: '随笔' }],
    post_tags: [{ postId: 1, tagId: 1 }],
    post_categories: [{ postId: 1, categoryId: 1 }],
    post_comments: [
      {
        id: 1,
        postId: 1,
        parentId: 0,
        author: '读者',
        authorUrl: '',
        email: 'r@r.test',
        content: '好',
        status: 'PUBLISHED',
        createTime: 1704135845000,
      },
      {
        id: 2,
        postId: 1,
        parentId: 1,
        author: '木',
        content: '谢',
        status: 'AUDITING',
        createTime: 1704135845000,
      },
    ],
    options: [
      { key: 'blog_url', value: 'https://mu.test' },
      { key: 'post_permalink_type', value: 'DATE' },
      { key: 'path_suffix', value: '.html' },
    ],
    users: [{ username: 'mu', nickname: '周木' }],
  });
  const archive = createArchive({ 'halo-data.json': json });
  expect([await ghost.detect(archive), await halo.detect(archive)]).toEqual([false, true]);
  const { essays, pages, skipped } = await readAll(halo, archive);
  expect(essays.get('1')).toMatchObject({
    content: '正文1',
    isPinned: true,
    tags: ['山'],
    categories: ['随笔'],
    cover: 'https://pic.test/c.png',
    author: { account: 'mu', displayName: '周木' },
    oldUrls: ['/2024/01/yi.html'],
    comments: [
      { id: '1', parentId: null, name: '读者', status: 'approved' },
      { id: '2', parentId: '1', status: 'pending' },
    ],
  });
  expect([essays.get('2')?.status, essays.get('3')?.status]).toEqual(['password', 'private']);
  expect(pages.get('sheet-5')?.oldUrls).toEqual(['/s/about.html']);
  expect(skipped).toEqual({ 4: '在回收站里，没有导入' });
});

const DUMP = `-- MySQL dump
CREATE TABLE \`my_contents\` (
  \`cid\` int(10) unsigned NOT NULL AUTO_INCREMENT, \`title\` varchar(150) DEFAULT NULL, \`slug\` varchar(150),
  \`created\` int(10), \`modified\` int(10), \`text\` longtext, \`order\` int, \`authorId\` int, \`template\` varchar(32),
  \`type\` varchar(16) DEFAULT 'post', \`status\` varchar(16), \`password\` varchar(32), \`allowComment\` char(1), \`parent\` int,
  PRIMARY KEY (\`cid\`), KEY \`created\` (\`created\`)
);
/*!40000 ALTER TABLE \`my_contents\` DISABLE KEYS */;
INSERT INTO \`my_contents\` VALUES (1,'it''s \\'一\\'; (甲)','yi',1704135845,1704135900,'<!--markdown-->第一行\\n![图][1] [二](https://ty.test/archives/2/)\\n\\n  [1]: https://ty.test/usr/uploads/a.png',0,1,NULL,'post','publish',NULL,'0',0),
(2,'二','2',1704135845,0,'<p>网页 -- 不是注释</p>',0,1,NULL,'post','hidden',NULL,'1',0);
INSERT INTO \`my_contents\` VALUES (3,'三','san',1704135845,0,'<!--markdown-->三',0,1,NULL,'post','publish','密码','1',0),(4,'改','gai',1,1,'x',0,1,NULL,'post_draft','publish',NULL,'1',1),(5,'稿','gao',1704135845,1,'<!--markdown-->稿',0,1,NULL,'post_draft','publish',NULL,'1',0),(6,'关于','about',1704135845,0,0xE68891,0,1,NULL,'page','publish',NULL,'1',0),(7,'a.png','a',1,1,'a:1:{}',0,1,NULL,'attachment','publish',NULL,'1',1);
INSERT INTO my_metas (mid, name, slug, type) VALUES (1,'随笔','sb','category'),(2,'山','shan','tag'),(3,'水','shui','category');
INSERT INTO my_relationships (cid, mid) VALUES (1,1),(1,2),(1,3);
INSERT INTO my_users (uid, name, password, mail, screenName) VALUES (1,'mu','hash','mu@m.test','周木');
INSERT INTO my_fields (cid, name, type, str_value) VALUES (1,'thumb','str','/usr/uploads/a.png');
INSERT INTO my_comments (coid, cid, created, author, mail, url, ip, text, type, status, parent) VALUES
(1,1,1704135845,'读者','r@r.test','https://r.test','1.2.3.4','好','comment','approved',0),
(2,1,1704135845,'木','','','','谢','comment','waiting',1),
(3,1,1704135845,'卖家','','','','买','comment','spam',0);
INSERT INTO my_options VALUES ('x',0,'y');
INSERT INTO my_options (name, user, value) VALUES ('siteUrl',0,'https://ty.test'),('title',0,'木站'),('timezone',0,'3600'),
('routingTable',0,'a:2:{s:4:\\"post\\";a:3:{s:3:\\"url\\";s:21:\\"/[year:digital:4]/[slug].html\\";s:6:\\"widget\\";s:1:\\"x\\";}s:4:\\"page\\";a:3:{s:3:\\"url\\";s:14:\\"/p/[slug].html\\";}}'),
('plugin:Sticky',0,'a:1:{s:11:\\"sticky_cids\\";s:1:\\"1\\";}');
`;

test('Typecho: a dump with any prefix', async () => {
  const archive = createArchive({ 'ty.sql': DUMP, 'usr/uploads/a.png': '' });
  expect(await typecho.detect(archive)).toBe(true);
  const { essays, pages, skipped, site } = await readAll(typecho, archive);
  const first = essays.get('1');
  expect(first).toMatchObject({
    sourceId: 'typecho:ty.test:1',
    title: "it's '一'; (甲)",
    slug: 'yi',
    isPinned: true,
    commentsClosed: true,
    categories: ['随笔', '水'],
    tags: ['山'],
    author: { account: 'mu', displayName: '周木' },
    cover: 'usr/uploads/a.png',
    pictures: ['usr/uploads/a.png'],
    createdAt: new Date('2024-01-01T19:04:05Z'),
    oldUrls: ['/2024/yi.html', '/index.php/2024/yi.html'],
    comments: [
      { id: '1', parentId: null, name: '读者', url: 'https://r.test', status: 'approved', content: '好' },
      { id: '2', parentId: '1', status: 'pending' },
    ],
    notes: ['1 条垃圾评论没有导入'],
  });
  expect(JSON.stringify(first)).not.toMatch(/r@r\.test|1\.2\.3\.4/);
  expect(essays.get('2')).toMatchObject({ content: '网页 -- 不是注释', status: 'hidden', slug: '' });
  expect([essays.get('3')?.status, essays.get('5')?.status]).toEqual(['password', 'draft']);
  expect(pages.get('6')).toMatchObject({
    content: '我',
    oldUrls: ['/p/about.html', '/index.php/p/about.html'],
  });
  expect(skipped).toEqual({ 4: '已发布文章没有发布的修改，没有导入' });
  expect(site).toMatchObject({ title: '木站', baseUrl: 'https://ty.test', timeZone: '+01:00' });
  const other = await readAll(typecho, createArchive({ 'a.sql': 'INSERT INTO wp_posts VALUES (1);' }));
  expect(other.skipped).toEqual({ 'a.sql': '不是 Typecho 的数据库备份，或没有下载完整' });
});

test('SQL dumps: SQLite and unfinished statements', () => {
  const read = (text: string) => [...readSqlDump(text, (table) => table === 't')];
  const create =
    'PRAGMA foreign_keys=OFF;\nCREATE TABLE IF NOT EXISTS "t" (a int, "b" text, PRIMARY KEY (a));\n';
  expect(read(`${create}INSERT INTO "t" VALUES(1,'a\\');`)).toEqual([
    { table: 't', row: { a: '1', b: 'a\\' } },
  ]);
  expect(read("INSERT INTO t (a, b) VALUES (-1.5, now()), (NULL, _binary 'x')")).toMatchObject([
    { row: { a: '-1.5' } },
    { row: { a: '', b: 'x' } },
  ]);
  expect(read("INSERT INTO t (a) VALUES ('open")).toEqual([{ table: 't', row: { a: 'open' } }]);
  expect(read('INSERT INTO t (a')).toEqual([]);
});
