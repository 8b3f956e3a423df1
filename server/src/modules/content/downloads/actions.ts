import type { downloadEssay as call } from '@mozhan/contract/downloads.ts';
import { ESSAY_STATUS, TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, invalidate } from '../../../ctx.ts';
import { chinaDayOf } from '../../../day.ts';
import type { LandscapeShapes } from '../../../drawing/landscape.ts';
import { callerOf, createFairQueue } from '../../../threads/fair-queue.ts';
import { recordTrend } from '../../accounts/activity/index.ts';
import { findSessionViewer } from '../../accounts/users/index.ts';
import { screenMarkdown } from '../../platform/sensitive-words/index.ts';
import { getSiteSettings } from '../../platform/settings/index.ts';
import { renderEssay } from '../../platform/text/index.ts';
import { listAttachments, toFileName } from '../../platform/uploads/index.ts';
import {
  addToEssayCounters,
  essayPathOf,
  getReadableEssay,
  listDrawings,
  readerKeyOf,
} from '../essays/index.ts';
import type { EssayRow } from '../essays/tables.ts';
import { buildBook } from './book.ts';
import { type LinkTarget, signLink, verifyLink } from './links.ts';
import { type DownloadSource, findEssay, findSource, insertDownload } from './queries.ts';
import { toMarkdown, toTitleFileName } from './views.ts';

const LINK_TTL_MS = 5 * 60_000;

type DownloadRequest = z.output<typeof call.input>;

function toLinkTarget(essay: EssayRow, { attachmentId, format }: DownloadRequest): LinkTarget {
  const isShelved = essay.status === ESSAY_STATUS.onShelf;
  const version = isShelved ? (essay.shelvedVersion ?? essay.version) : essay.version;
  if (attachmentId === undefined) return { essayId: essay.id, isShelved, version, format };
  if (!essay.attachments.includes(attachmentId)) throw invalidField('attachmentId', '这篇文章没有这个附件');
  return { essayId: essay.id, isShelved, attachmentId };
}

/** Requires that the viewer may read the full text. */
export async function createDownloadLink(ctx: Ctx, input: DownloadRequest) {
  const { essay, mayReadAll } = await getReadableEssay(ctx, input.essayId);
  if (!mayReadAll) throw new CallError('FORBIDDEN', { message: '能读全文的人才能下载' });
  const target = { ...toLinkTarget(essay, input), sessionId: ctx.viewer?.sessionId };
  await countDownload(ctx, essay);
  const { config, secret } = ctx.services;
  const expiresAt = new Date(ctx.now.getTime() + LINK_TTL_MS);
  return {
    url: `${config.basePath}/download/${signLink(secret, target, expiresAt)}`,
    expiresAt: expiresAt.toISOString(),
  };
}

/** Counts each reader once a day, never the author. */
function countDownload(ctx: Ctx, essay: EssayRow): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { viewer } = ctx;
    if (viewer?.id === essay.authorId || essay.status !== ESSAY_STATUS.onShelf) return;
    const download = { day: chinaDayOf(ctx.now), essayId: essay.id, reader: readerKeyOf(ctx) };
    if (!(await insertDownload(ctx.db, download))) return;
    await addToEssayCounters(ctx, [{ essayId: essay.id, downloads: 1 }]);
    if (viewer === null) return;
    const trend = { userId: viewer.id, type: TREND_TYPE.download, targetId: essay.id } as const;
    await recordTrend(ctx, { ...trend, targetKind: 'essay' });
    invalidate(ctx, `trend:${viewer.id}`);
  });
}

export type Download = { name: string; type: string } & (
  | { content: string | Buffer }
  | { path: string; bytes: number }
);

/** Building a book is expensive, so only one runs at a time. */
const bookQueue = createFairQueue({
  maxWaiting: 20,
  maxWaitingPerCaller: 3,
  busyMessage: '正在生成的电子书太多，请稍后再试',
});

function buildEssayBook(
  ctx: Ctx,
  landscapeShapes: LandscapeShapes,
  { essay, author, content, version }: DownloadSource & { version: number },
): Promise<Buffer> {
  const caller = callerOf(ctx);
  return bookQueue(caller, async () => {
    const siteUrl = ctx.services.config.siteUrl ?? '';
    const stored = await listDrawings(ctx.db, essay.id, version);
    const { html, toc } = await renderEssay(caller, content, {
      previewPercent: null,
      pictures: {},
      drawings: Object.fromEntries(stored.map((drawing) => [drawing.sourceHash, drawing])),
      siteUrl,
    });
    const drawings = new Map(stored.map(({ id, light }) => [`/drawings/${id}-light.svg`, light]));
    const { title: publisher } = await getSiteSettings(ctx);
    const { id, title, summary, tags, cover, publishedAt, updatedAt } = essay;
    const metadata = {
      id,
      title,
      summary,
      tags,
      cover,
      publishedAt,
      updatedAt,
      publisher,
      html,
      drawings,
      toc,
      siteUrl,
    };
    const url = siteUrl === '' ? '' : siteUrl + essayPathOf(essay);
    return buildBook(caller, ctx.services.files, landscapeShapes, {
      ...metadata,
      author: author.displayName,
      url,
    });
  });
}

/** Checks that the user of the link is still signed in and may still read the full text. */
async function requireReader(ctx: Ctx, { essayId, sessionId }: LinkTarget): Promise<void> {
  const viewer = sessionId === undefined ? null : await findSessionViewer(ctx, sessionId);
  if (sessionId !== undefined && viewer === null)
    throw new CallError('GONE', { message: '登录已经结束，下载地址随之失效' });
  const { mayReadAll } = await getReadableEssay({ ...ctx, viewer }, essayId);
  if (!mayReadAll) throw new CallError('GONE', { message: '你已不能读全文，下载地址随之失效' });
}

export async function openDownloadLink(
  ctx: Ctx,
  link: string,
  landscapeShapes: LandscapeShapes,
): Promise<Download> {
  const { config, secret } = ctx.services;
  const found = verifyLink(secret, link);
  if (found === null) throw new CallError('NOT_FOUND', { message: '下载地址不对' });
  if (found.expiresAt <= ctx.now)
    throw new CallError('GONE', { message: '下载地址已过期，请回到文章重新下载' });
  const { target } = found;
  const essay = await findEssay(ctx.db, target.essayId);
  // The essay has left the shelf since the link was created.
  if (essay === null || (target.isShelved && essay.status !== ESSAY_STATUS.onShelf))
    throw new CallError('GONE');
  await requireReader(ctx, target);
  if ('attachmentId' in target) {
    if (!essay.attachments.includes(target.attachmentId)) throw new CallError('GONE');
    const [file] = await listAttachments(ctx.db, [target.attachmentId]);
    if (file === undefined) throw new CallError('GONE');
    return { name: file.name, type: file.type, bytes: file.bytes, path: file.path };
  }
  const source = await findSource(ctx.db, target.essayId, target.version);
  if (source === null) throw new CallError('GONE');
  // Sensitive words are masked as on the page.
  const { masked } = await screenMarkdown(ctx, source.content);
  const maskedSource = { ...source, content: masked };
  const { format } = target;
  return {
    name: toFileName(toTitleFileName(source.essay.title, format)),
    type: format === 'epub' ? 'application/epub+zip' : 'text/markdown; charset=utf-8',
    content:
      format === 'epub'
        ? await buildEssayBook(ctx, landscapeShapes, { ...maskedSource, version: target.version })
        : toMarkdown(maskedSource, config.siteUrl ?? config.basePath),
  };
}
