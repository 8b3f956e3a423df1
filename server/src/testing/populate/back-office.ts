import { FLAG } from '@mozhan/contract/enums.ts';
import { strToU8, zipSync } from 'fflate';
import type { TestApp } from '../app.ts';
import { importFile } from '../transfer.ts';
import type { PublishedEssays } from './essays.ts';
import { DAY, mustCall, type Users, waitForJobs } from './helpers.ts';
import { uploadPicture } from './users.ts';

export async function setUpSite(t: TestApp): Promise<void> {
  const admin = { token: await t.signInAdmin() };
  for (const [word, level] of [
    ['糟糕', 'mask'],
    ['可疑', 'hold'],
    ['不许说', 'refuse'],
  ])
    await mustCall(t, 'POST core/sys/word/', { word, level, note: level === 'mask' ? '常见' : '' }, admin);
  const { id } = await mustCall(t, 'POST core/sys/announcement/', { title: '写错了' }, admin);
  await mustCall(t, 'DELETE core/sys/announcement/', { id }, admin);
  await mustCall(
    t,
    'PUT core/sys/setting/',
    { title: '一个站', icp: '某ICP备00000000号', showRegion: true },
    admin,
  );
  await mustCall(t, 'POST core/sys/category/', { slug: 'poems', name: '诗', enabled: FLAG.off }, admin);
  const dict = await mustCall(t, 'POST core/sys/dict/', { code: 'mood', name: '心情' }, admin);
  await mustCall(
    t,
    'POST core/sys/dict/item/',
    { dictId: dict.id, value: 'good', item: '好', enabled: FLAG.off },
    admin,
  );
  const image = await uploadPicture(t, admin, 1200, '#222222');
  await mustCall(t, 'POST core/sys/cover/', { kind: 'library', title: '黑', image }, admin);
  const now = t.app.services.clock().getTime();
  const times = { startsAt: new Date(now).toISOString(), endsAt: new Date(now + 40 * DAY).toISOString() };
  const banner = { kind: 'banner', title: '活动', image, link: '/about.html', ...times };
  await mustCall(t, 'POST core/sys/cover/', banner, admin);
  await mustCall(t, 'POST core/sys/announcement/', { title: '只有一句' }, admin);
  const announcement = { title: '维护', content: '今晚**停机**。', level: 'important', ...times };
  await mustCall(t, 'POST core/sys/announcement/', announcement, admin);
  for (const version of [1, 2]) {
    const content = `## 联系\n\n第 ${version} 次修改。`;
    await mustCall(t, 'PUT core/sys/page/', { page: 'contact', version, content }, admin);
  }
  await addPages(t, admin, image);
}

/** Adds a page that changed its address, a navigation with it, and a friend link. */
async function addPages(t: TestApp, admin: { token: string }, logo: string): Promise<void> {
  const text = { title: '团队', slug: 'people', content: '## 我们\n\n几个人。', published: FLAG.on };
  const { page, version } = await mustCall(t, 'POST core/sys/page/', text, admin);
  await mustCall(t, 'PUT core/sys/page/', { page, version, slug: 'team' }, admin);
  const header = [
    { kind: 'route', route: 'home' },
    { kind: 'page', page, label: '我们' },
  ];
  await mustCall(t, 'PUT core/sys/nav/', { version: 1, header }, admin);
  const link = { name: '邻居', url: 'https://example.com', description: '写代码的朋友', logo };
  await mustCall(t, 'POST core/sys/friend-link/', link, admin);
}

/** Adds one endpoint that accepts deliveries and one that fails. */
export async function addWebhooks(t: TestApp, url: string): Promise<void> {
  const admin = { token: await t.signInAdmin() };
  for (const path of ['/ok', '/refused']) {
    const events = ['essay.published', 'order.paid', 'order.refunded', 'comment.created'];
    const endpoint = { name: path, url: url + path, events, enabled: FLAG.on };
    await mustCall(t, 'POST core/sys/webhook/', endpoint, admin);
  }
}

const POST = `---
title: 从别处搬来
date: 2025-11-03 20:00:00
tags: [搬家]
---

## 旧文

从前写的。
`;

export async function performStaffTasks(t: TestApp, users: Users, published: PublishedEssays): Promise<void> {
  const { admin, writer, second } = users;
  const file = { name: 'blog.zip', content: zipSync({ 'source/_posts/old.md': strToU8(POST) }) };
  const imported = await importFile(t, admin.token, file, `?authorId=${writer.user.id}`);
  if (imported.status !== 'done') throw new Error(`import: ${imported.message}`);
  await mustCall(t, 'POST core/user/export', {}, writer);
  await importFile(t, admin.token, { name: 'blog.zip', content: strToU8('not a ZIP') });
  await mustCall(t, 'PUT core/sys/tag/', { name: '旧标签', to: '新标签' }, admin);
  await mustCall(t, 'DELETE core/sys/tag/', { name: '搬家' }, admin);
  await mustCall(
    t,
    'PUT core/code/star/',
    { userId: second.user.id, picked: FLAG.on, note: '值得一读' },
    admin,
  );
  const { version } = await mustCall(t, 'GET core/essay/{id}/source', { id: published.free }, writer);
  await mustCall(t, 'PUT core/essay/', { id: published.free, version, slug: 'b-trees' }, writer);
  const old = { path: '/2025/11/old/', target: `/essay/detail/${published.free}.html` };
  await mustCall(t, 'POST core/sys/redirect/', old, admin);
  await mustCall(t, 'POST core/sys/redirect/', { path: '/?p=1', target: 'https://example.com/' }, admin);
  await mustCall(t, 'POST core/sys/ban/', { network: '203.0.113.0/24', reason: '扫描' }, admin);
  for (const url of ['/2025/11/old', '/nowhere', '/nowhere']) await t.app.server.inject({ url });
  const unused = await uploadPicture(t, admin, 40, '#fedcba');
  await t.app.services.pool.query(
    `update uploads set created_at = created_at - interval '2 days' where path = $1`,
    [unused],
  );
  await mustCall(t, 'POST core/sys/media/clean', {}, admin);
  await mustCall(t, 'POST core/sys/backup/', { requestId: 'one backup' }, admin);
  await waitForJobs(t);
  await mustCall(t, 'GET core/sys/stat/', {}, admin);
  await mustCall(t, 'PUT core/sys/essay/', { id: published.free, tags: ['数据库', 'B 树'] }, admin);
}
