import type { downloadEssay as call } from '@mozhan/contract/downloads.ts';
import { ESSAY_STATUS, TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, inTx, touch } from '../../../ctx.ts';
import { dayOf } from '../../../day.ts';
import type { Ink } from '../../../drawing/landscape.ts';
import { callerOf, createFairQueue } from '../../../threads/fair-queue.ts';
import { recordTrend } from '../../accounts/activity/index.ts';
import { findSessionViewer } from '../../accounts/users/index.ts';
import { screenMarkdown } from '../../platform/sensitive-words/index.ts';
import { getSiteSettings } from '../../platform/settings/index.ts';
import { renderEssay } from '../../platform/text/index.ts';
import { listAttachments, toFileName } from '../../platform/uploads/index.ts';
import { addToEssays, getReadable, readerOf } from '../essays/index.ts';
import type { EssayRow } from '../essays/tables.ts';
import { makeBook } from './book.ts';
import { makeLink, readLink, type Target } from './links.ts';
import { findEssay, findSource, insertDownload, type Source } from './queries.ts';
import { toMarkdown, toTitleName } from './views.ts';

const LINK_LIFE = 5 * 60_000;

type Asked = z.output<typeof call.input>;

function targetOf(essay: EssayRow, { attachmentId, format }: Asked): Target {
  const isShelved = essay.status === ESSAY_STATUS.onShelf;
  const version = isShelved ? (essay.shelvedVersion ?? essay.version) : essay.version;
  if (attachmentId === undefined) return { essayId: essay.id, isShelved, version, format };
  if (!essay.attachments.includes(attachmentId)) throw invalid('attachmentId', '这篇文章没有这个附件');
  return { essayId: essay.id, isShelved, attachmentId };
}

/** A link for somebody who may read all of the essay. */
export async function createLink(ctx: Ctx, input: Asked) {
  const { essay, mayReadAll } = await getReadable(ctx, input.essayId);
  if (!mayReadAll) throw new CallError('FORBIDDEN', { message: '能读全文的人才能下载' });
  const target = { ...targetOf(essay, input), sessionId: ctx.viewer?.sessionId };
  await countDownload(ctx, essay);
  const { config, secret } = ctx.services;
  const expiresAt = new Date(ctx.now.getTime() + LINK_LIFE);
  return {
    url: `${config.basePath}/download/${makeLink(secret, target, expiresAt)}`,
    expiresAt: expiresAt.toISOString(),
  };
}

/** Once a day for each reader, never for the author. */
function countDownload(ctx: Ctx, essay: EssayRow): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const { viewer } = ctx;
    if (viewer?.id === essay.authorId || essay.status !== ESSAY_STATUS.onShelf) return;
    const download = { day: dayOf(ctx.now), essayId: essay.id, reader: readerOf(ctx) };
    if (!(await insertDownload(ctx.db, download))) return;
    await addToEssays(ctx, [{ essayId: essay.id, downloads: 1 }]);
    if (viewer === null) return;
    const trend = { userId: viewer.id, type: TREND_TYPE.download, targetId: essay.id } as const;
    await recordTrend(ctx, { ...trend, targetKind: 'essay' });
    touch(ctx, `trend:${viewer.id}`);
  });
}

/** What is sent: as it was made, or a file that is kept. */
export type Download = { name: string; type: string } & (
  | { content: string | Buffer }
  | { path: string; bytes: number }
);

/** A book takes the time of many pages. */
const inTurn = createFairQueue({
  maxWaiting: 20,
  maxWaitingPerCaller: 3,
  busyMessage: '正在生成的电子书太多，请稍后再试',
});

function makeEssayBook(ctx: Ctx, ink: Ink, { essay, author, content }: Source): Promise<Buffer> {
  const caller = callerOf(ctx);
  return inTurn(caller, async () => {
    const siteUrl = ctx.services.config.siteUrl ?? '';
    const { html, toc } = await renderEssay(caller, content, { previewPercent: null, pictures: {}, siteUrl });
    const { title: publisher } = await getSiteSettings(ctx);
    const { id, title, summary, tags, cover, publishedAt, updatedAt } = essay;
    const facts = { id, title, summary, tags, cover, publishedAt, updatedAt, publisher, html, toc, siteUrl };
    const url = siteUrl === '' ? '' : `${siteUrl}/essay/detail/${id}.html`;
    return makeBook(caller, ctx.services.files, ink, { ...facts, author: author.displayName, url });
  });
}

/** Whoever it was made for may still read all of the essay. */
async function requireReader(ctx: Ctx, { essayId, sessionId }: Target): Promise<void> {
  const viewer = sessionId === undefined ? null : await findSessionViewer(ctx, sessionId);
  if (sessionId !== undefined && viewer === null)
    throw new CallError('GONE', { message: '登录已经结束，下载地址随之失效' });
  const { mayReadAll } = await getReadable({ ...ctx, viewer }, essayId);
  if (!mayReadAll) throw new CallError('GONE', { message: '你已不能读全文，下载地址随之失效' });
}

export async function openLink(ctx: Ctx, link: string, ink: Ink): Promise<Download> {
  const { config, secret } = ctx.services;
  const found = readLink(secret, link);
  if (found === null) throw new CallError('NOT_FOUND', { message: '下载地址不对' });
  if (found.expiresAt <= ctx.now)
    throw new CallError('GONE', { message: '下载地址已过期，请回到文章重新下载' });
  const { target } = found;
  const essay = await findEssay(ctx.db, target.essayId);
  // What was taken off the shelf meanwhile is no longer given away.
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
  // As readers see it: some words are hidden on the page.
  const { masked } = await screenMarkdown(ctx, source.content);
  const shown = { ...source, content: masked };
  const { format } = target;
  return {
    name: toFileName(toTitleName(source.essay.title, format)),
    type: format === 'epub' ? 'application/epub+zip' : 'text/markdown; charset=utf-8',
    content:
      format === 'epub'
        ? await makeEssayBook(ctx, ink, shown)
        : toMarkdown(shown, config.siteUrl ?? config.basePath),
  };
}
