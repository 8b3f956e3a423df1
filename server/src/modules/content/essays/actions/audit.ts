import { CallError } from '@mozhan/contract/errors.ts';
import type { Declaration } from '@mozhan/contract/essays.ts';
import type { EssayRecord } from '@mozhan/contract/staff-essays.ts';
import type { Ctx } from '../../../../ctx.ts';
import { listCategoryNames } from '../../categories/index.ts';
import * as queries from '../queries/essays.ts';
import { findCard } from '../queries/lists.ts';
import { essayNotFound } from '../rules/essays.ts';
import type { EssayRow, EssaySettings } from '../tables.ts';
import { toRecord, toStaffEssay, withBasePath } from '../views/essays.ts';
import { listAttachmentFiles } from './read.ts';

const declarationNames: Record<Declaration, string> = {
  none: '无',
  'ai-assisted': 'AI 辅助',
  'ai-generated': 'AI 生成',
  fiction: '虚构',
  reprint: '转载',
};

async function describeSettings(ctx: Ctx, settings: EssaySettings): Promise<Record<string, string>> {
  const [categories, files] = await Promise.all([
    listCategoryNames(ctx),
    listAttachmentFiles(ctx, settings.attachments),
  ]);
  return {
    标题: settings.title,
    摘要: settings.summary,
    分类: (settings.categoryId !== null && categories.get(settings.categoryId)) || '无',
    标签: settings.tags.join('、'),
    封面: settings.cover,
    分享卡片: settings.shareCover,
    价格: settings.price === 0 ? '免费' : `${settings.price / 100} 元`,
    会员免费: settings.memberFree ? '是' : '否',
    试读比例: `${settings.previewPercent}%`,
    创作声明: declarationNames[settings.declaration],
    原文地址: settings.source,
    附件: files.map(({ name, bytes }) => `${name}（${bytes} 字节）`).join('、'),
  };
}

async function describeChanges(ctx: Ctx, before: EssaySettings | undefined, after: EssaySettings) {
  if (before === undefined) return [];
  const [old, now] = await Promise.all([describeSettings(ctx, before), describeSettings(ctx, after)]);
  // A replaced file may have the same name and size, so the ids are compared too.
  const hasOtherFiles = before.attachments.join() !== after.attachments.join();
  return Object.entries(now).flatMap(([field, value]) =>
    old[field] === value && !(field === '附件' && hasOtherFiles)
      ? []
      : [{ field, before: old[field] ?? '', after: value }],
  );
}

function getSubmittedVersion(essay: EssayRow): number {
  if (essay.submittedAt === null || essay.submittedVersion === null)
    throw new CallError('NOT_FOUND', { message: '这篇文章已不在待审之列' });
  return essay.submittedVersion;
}

export async function getEssayForAudit(ctx: Ctx, id: string) {
  const essay = await queries.getEssay(ctx.db, id);
  const version = getSubmittedVersion(essay);
  const [card, text, lockedText, revision, shelved, records] = await Promise.all([
    findCard(ctx.db, id),
    queries.findText(ctx.db, id, version),
    queries.findLockedText(ctx.db, id, version),
    queries.getRevision(ctx.db, id, version),
    essay.shelvedVersion === null ? null : queries.findRevision(ctx.db, id, essay.shelvedVersion),
    queries.listRecords(ctx.db, id),
  ]);
  if (card === null || text === null) throw essayNotFound();
  const last = records[0]?.record;
  return {
    ...toStaffEssay({ ...card, appeal: last?.appeal ?? false, words: text.words }, ctx.now),
    title: text.title,
    summary: text.summary,
    // Those of the row are what readers see until the revision is shelved.
    cover: revision.fields.cover,
    shareCover: revision.fields.shareCover,
    version,
    html: withBasePath(lockedText?.html ?? text.html, ctx.services.config),
    toc: lockedText?.toc ?? text.toc,
    content: revision.content,
    facts: Object.entries(await describeSettings(ctx, revision.fields)).flatMap(([field, value]) =>
      value === '' ? [] : [{ field, value }],
    ),
    changes: await describeChanges(ctx, shelved?.fields, revision.fields),
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
