import { CallError } from '@mozhan/contract/errors.ts';
import type { Declaration } from '@mozhan/contract/essays.ts';
import type { EssayRecord } from '@mozhan/contract/staff-essays.ts';
import type { Ctx } from '../../../../ctx.ts';
import { listCategoryNames } from '../../categories/index.ts';
import * as queries from '../queries/essays.ts';
import { findCard } from '../queries/lists.ts';
import { noEssay } from '../rules/essays.ts';
import type { EssayRow, Settings } from '../tables.ts';
import { atBase, toRecord, toStaffEssay } from '../views/essays.ts';
import { listFiles } from './read.ts';

const declarationNames: Record<Declaration, string> = {
  none: '无',
  'ai-assisted': 'AI 辅助',
  'ai-generated': 'AI 生成',
  fiction: '虚构',
  reprint: '转载',
};

/** What an auditor compares besides the text, in words. */
async function wordsOf(ctx: Ctx, settings: Settings): Promise<Record<string, string>> {
  const [categories, files] = await Promise.all([
    listCategoryNames(ctx),
    listFiles(ctx, settings.attachments),
  ]);
  return {
    标题: settings.title,
    摘要: settings.summary,
    分类: (settings.categoryId !== null && categories.get(settings.categoryId)) || '无',
    标签: settings.tags.join('、'),
    封面: settings.cover,
    价格: settings.price === 0 ? '免费' : `${settings.price / 100} 元`,
    会员免费: settings.memberFree ? '是' : '否',
    试读比例: `${settings.previewPercent}%`,
    创作声明: declarationNames[settings.declaration],
    原文地址: settings.source,
    附件: files.map(({ name, bytes }) => `${name}（${bytes} 字节）`).join('、'),
  };
}

async function changesOf(ctx: Ctx, before: Settings | undefined, after: Settings) {
  if (before === undefined) return [];
  const [old, now] = await Promise.all([wordsOf(ctx, before), wordsOf(ctx, after)]);
  // Other files may have the same names and sizes.
  const hasOtherFiles = before.attachments.join() !== after.attachments.join();
  return Object.entries(now).flatMap(([field, value]) =>
    old[field] === value && !(field === '附件' && hasOtherFiles)
      ? []
      : [{ field, before: old[field] ?? '', after: value }],
  );
}

/** The version that waits for a decision. */
function waitingVersion(essay: EssayRow): number {
  if (essay.submittedAt === null || essay.submittedVersion === null)
    throw new CallError('NOT_FOUND', { message: '这篇文章已不在待审之列' });
  return essay.submittedVersion;
}

export async function readForAudit(ctx: Ctx, id: string) {
  const essay = await queries.getEssay(ctx.db, id);
  const version = waitingVersion(essay);
  const [card, text, whole, revision, shelved, records] = await Promise.all([
    findCard(ctx.db, id),
    queries.findText(ctx.db, id, version),
    queries.findLockedText(ctx.db, id, version),
    queries.getRevision(ctx.db, id, version),
    essay.shelvedVersion === null ? null : queries.findRevision(ctx.db, id, essay.shelvedVersion),
    queries.listRecords(ctx.db, id),
  ]);
  if (card === null || text === null) throw noEssay();
  const last = records[0]?.record;
  return {
    ...toStaffEssay({ ...card, appeal: last?.appeal ?? false, words: text.words }, ctx.now),
    title: text.title,
    summary: text.summary,
    version,
    html: atBase(whole?.html ?? text.html, ctx.services.config),
    toc: whole?.toc ?? text.toc,
    content: revision.content,
    facts: Object.entries(await wordsOf(ctx, revision.fields)).flatMap(([field, value]) =>
      value === '' ? [] : [{ field, value }],
    ),
    changes: await changesOf(ctx, shelved?.fields, revision.fields),
    publishedContent: shelved?.content ?? null,
    appealText: last?.appeal === true ? last.reason : null,
    hasDiagrams: text.hasDiagrams,
    records: records.map((each) => toRecord(each, ctx.now)),
  };
}

export async function listRecords(ctx: Ctx, id: string): Promise<EssayRecord[]> {
  await queries.getEssay(ctx.db, id);
  return (await queries.listRecords(ctx.db, id)).map((each) => toRecord(each, ctx.now));
}
