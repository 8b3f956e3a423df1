import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import type { EssayFields } from '@mozhan/contract/essays.ts';
import type { TestApp } from '../app.ts';
import { categoryIds, publishEssay, submitEssay } from '../essays.ts';
import { uploadFile } from '../uploads.ts';
import { HOUR, mustCall, type Users } from './helpers.ts';
import { uploadPicture } from './users.ts';

export interface PublishedEssays {
  free: string;
  paid: string;
  forMembers: string;
  inColumn: string;
  column: string;
}

const LONG_TEXT = `## 开头

一个 B 树的节点放得下几百个 key，所以三层就够一亿行：$n = 400^3$。

\`\`\`sql
select * from essays where status = 3;
\`\`\`

## 中间

\`\`\`mermaid
graph LR; 写 --> 审 --> 上架
\`\`\`

> 引用一句。[^1]

## 结尾

${'后面的字要付费才看得到。'.repeat(20)}

[^1]: 注脚。
`;

export async function createEssays(t: TestApp, users: Users): Promise<PublishedEssays> {
  const { writer, second } = users;
  const cover = await uploadPicture(t, writer, 1600, '#336699');
  const file = { name: '讲义.pdf', content: Buffer.from('%PDF-1.7 words') };
  const attached = await uploadFile(t, 'core/minio/upload?kind=attachment', file, writer.token);
  const column = await mustCall(
    t,
    'POST core/essay/column',
    { name: '连载', summary: '一本小书', cover, price: 900 },
    writer,
  );
  await mustCall(t, 'POST core/essay/column', { name: '还没有文章' }, second);
  const more = { tags: ['数据库', 'PostgreSQL'], cover, shareCover: cover, attachments: [attached.data.id] };
  const published = {
    free: await publishEssay(t, writer, { ...more, content: LONG_TEXT, summary: '一句话的摘要' }),
    paid: await publishEssay(t, writer, { content: LONG_TEXT, price: 300, tags: ['数据库'] }),
    forMembers: await publishEssay(t, second, {
      content: LONG_TEXT,
      price: 600,
      memberFree: true,
      previewPercent: 10,
    }),
    inColumn: await publishEssay(t, writer, {
      columnId: column.id,
      allowComment: false,
      tags: ['旧标签'],
    }),
    column: column.id,
  };
  await createDrawing(t, writer);
  await createOtherStates(t, users);
  await createRevisions(t, users);
  return published;
}

/** An essay that waits for its audit with a drawing of its diagram. */
async function createDrawing(t: TestApp, writer: Users['writer']): Promise<void> {
  const source = 'graph LR; 写 --> 审';
  const content = `\`\`\`mermaid\n${source}\n\`\`\`\n`;
  const categoryId = (await categoryIds(t)).tech ?? null;
  const { id } = await mustCall(t, 'POST core/essay/', { title: '有图的文章', content, categoryId }, writer);
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40" viewBox="0 0 90 40"><text y="20" fill="#23201d">写审</text></svg>';
  const drawings = [{ source, light: svg, dark: svg }];
  await changeStatus(t, writer, id, ESSAY_STATUS.waiting, { drawings });
}

const changeStatus = (t: TestApp, by: { token: string }, id: string, status: number, more: object = {}) =>
  mustCall(t, 'PUT core/essay/status', { id, status, ...more }, by);

async function createOtherStates(t: TestApp, { admin, writer, second }: Users): Promise<void> {
  const draft = await mustCall(t, 'POST core/essay/', { title: '草稿' }, writer);
  let { version } = draft;
  for (const auto of [{}, { auto: FLAG.on }, {}]) {
    t.advance(HOUR);
    const text = `写到第 ${version} 遍。`;
    ({ version } = await mustCall(
      t,
      'PUT core/essay/',
      { id: draft.id, version, content: text, ...auto },
      writer,
    ));
  }
  await submitEssay(t, second, { content: '这里有一个要留意的词：可疑。' });
  const approved = await submitEssay(t, writer);
  await changeStatus(t, admin, approved, 2);
  const own = await publishEssay(t, writer);
  await changeStatus(t, writer, own, 4);
  const takenDown = await publishEssay(t, second);
  await changeStatus(t, admin, takenDown, 4, { reason: '有人说是抄的' });
  for (const isAppealed of [false, true]) {
    const refused = await submitEssay(t, second);
    await changeStatus(t, admin, refused, 5, { reason: '与技术无关' });
    if (isAppealed) await mustCall(t, 'POST core/essay/appeal', { id: refused, text: '请再看一遍' }, second);
  }
  const removed = await publishEssay(t, second, { tags: ['没人用的标签'] });
  await mustCall(t, 'DELETE core/essay/{id}', { id: removed }, second);
}

/** Creates published essays whose revision is a draft, waiting, rejected or accepted. */
async function createRevisions(t: TestApp, { admin, second }: Users): Promise<void> {
  for (const state of ['written', 'waiting', 'refused', 'accepted']) {
    const id = await publishEssay(t, second, { declaration: 'reprint', source: 'https://example.com/a' });
    const { version } = await mustCall(t, 'GET core/essay/{id}/source', { id }, second);
    const status = state === 'written' ? ESSAY_STATUS.draft : ESSAY_STATUS.waiting;
    await mustCall(t, 'PUT core/essay/', { id, version, content: '改过的正文。', status }, second);
    if (state === 'refused') await changeStatus(t, admin, id, 5, { revision: true, reason: '改坏了' });
    if (state === 'accepted') await changeStatus(t, admin, id, 3, { revision: true });
  }
}

export async function scheduleEssay(t: TestApp, { admin, writer }: Users): Promise<void> {
  const { tech = '' } = await categoryIds(t);
  const scheduledAt = new Date(t.app.services.clock().getTime() + 24 * HOUR).toISOString();
  const fields: Partial<EssayFields> = {
    title: '明天见',
    content: '明天的字。',
    categoryId: tech,
    scheduledAt,
  };
  const { id } = await mustCall(t, 'POST core/essay/', { ...fields, status: ESSAY_STATUS.waiting }, writer);
  await changeStatus(t, admin, id, 2);
}
