import { CallError } from '@mozhan/contract/errors.ts';
import type { EssayFields } from '@mozhan/contract/essays.ts';
import { replaceSections } from '@mozhan/contract/text-scan.ts';
import { TIME_LIMIT_FACTOR } from '../../../../config/time-limits.ts';
import type { Ctx } from '../../../../ctx.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { screenMarkdown, screenText } from '../../../platform/sensitive-words/index.ts';
import {
  listPictures as listAddresses,
  renderDraft,
  renderEssay,
  toPlainText,
} from '../../../platform/text/index.ts';
import * as queries from '../queries/essays.ts';
import { paywallOf } from '../rules/essays.ts';
import type { EssayTextRow } from '../tables.ts';
import { type Drawing, type DrawingSource, listUsed, prepareDrawings, screenDrawings } from './drawings.ts';

/** Shorter than the request timeout of the server. */
const MAX_DURATION_MS = 22_000 * TIME_LIMIT_FACTOR;

type RenderedText = Omit<EssayTextRow, 'essayId' | 'version'>;

/** A rendered version: the text that everyone may read, and the full text if part of it is locked. */
export interface Submission {
  publicText: RenderedText;
  lockedText: Pick<RenderedText, 'html' | 'toc' | 'text'> | null;
  drawings: Drawing[];
}

type RenderOptions = Omit<Parameters<typeof renderEssay>[2], 'pictures' | 'siteUrl'>;

/** What the rendering of the text needs from outside: the sizes of its pictures, and the URL of the site. */
async function getSurroundings(ctx: Ctx, content: string) {
  const { siteUrl } = ctx.services.config;
  const own = siteUrl === null ? content : content.replaceAll(`${siteUrl}/files/`, '/files/');
  const pictures = await queries.listPictures(ctx.db, listAddresses(own));
  return {
    siteUrl,
    pictures: Object.fromEntries(
      pictures.map(({ path, thumbPath, middlePath, width, height }) => [
        path,
        { width, height, thumb: thumbPath, middle: middlePath },
      ]),
    ),
  };
}

/** It is slow, so never call it inside a transaction. */
const renderContent = async (ctx: Ctx, content: string, options: RenderOptions) =>
  renderEssay(callerOf(ctx), content, { ...options, ...(await getSurroundings(ctx, content)) });

export const renderPreview = (ctx: Ctx, content: string) =>
  renderContent(ctx, content, { previewPercent: null, lane: 'preview' });

/** For the editor, which asks again after every change. */
export const previewDraft = async (ctx: Ctx, content: string, known: readonly string[] = []) =>
  renderDraft(callerOf(ctx), content, { ...(await getSurroundings(ctx, content)), known });

function checkComplete({ title, categoryId, content, declaration, source }: EssayFields): void {
  const fields = {
    ...(title === '' ? { title: '请填写标题' } : {}),
    ...(categoryId === null ? { categoryId: '请选择分类' } : {}),
    ...(content.trim() === '' ? { content: '请填写正文' } : {}),
    ...(declaration === 'reprint' && source === '' ? { source: '转载请填写原文地址' } : {}),
  };
  if (Object.keys(fields).length > 0) throw new CallError('ESSAY_INCOMPLETE', { fields });
}

/** Throws when a field contains refused words; words of other levels are masked or reported to the auditor. */
async function screenFields(ctx: Ctx, essay: EssayFields) {
  const parts = {
    title: await screenText(ctx, essay.title),
    summary: await screenText(ctx, essay.summary),
    tags: await screenText(ctx, essay.tags.join('\n')),
    content: await screenMarkdown(ctx, essay.content),
  };
  // A masked tag would be useless.
  const isRefused = (field: string, level: string | null) =>
    level === 'refuse' || (field === 'tags' && level === 'mask');
  const refused = Object.entries(parts).filter(([field, { level }]) => isRefused(field, level));
  if (refused.length > 0) {
    const message = ({ refused, words }: { refused: string[]; words: string[] }) =>
      `含有不能发布的词语：${(refused.length > 0 ? refused : words).join('、')}`;
    throw new CallError('WORDS_REFUSED', {
      fields: Object.fromEntries(refused.map(([field, screened]) => [field, message(screened)])),
    });
  }
  return { ...parts, words: [...new Set(Object.values(parts).flatMap(({ words }) => words))] };
}

const CODE = /<(pre|code)[ >]/g;
const codeEnds = { pre: /<\/pre>/g, code: /<\/code>/g };
const withoutCode = (html: string): string =>
  replaceSections(html, {
    open: CODE,
    close: ([, given]) => {
      const name = given === 'pre' ? 'pre' : 'code';
      return { name, pattern: codeEnds[name] };
    },
    replace: () => ' ',
  });
const BLOCK_END = /<\/(?:p|li|h[1-6]|td|th|dt|dd|figcaption|summary|blockquote|div)>/g;

/**
 * Screens the rendered text, because markup or character references can hide a sensitive word from the screening of
 * the Markdown. Returns the words to report to the auditor.
 */
async function screenRendered(ctx: Ctx, html: string): Promise<string[]> {
  const visibleText = toPlainText(withoutCode(html).replace(BLOCK_END, '\n$&'));
  const { level, words } = await screenText(ctx, visibleText);
  if (level === 'refuse' || level === 'mask')
    throw new CallError('WORDS_REFUSED', { fields: { content: `含有不能发布的词语：${words.join('、')}` } });
  return words;
}

/** The rows of a rendered version. */
export const toRenderedTexts = (
  { publicText, lockedText, drawings }: Submission,
  key: { essayId: string; version: number },
) => ({
  open: { ...publicText, ...key },
  locked: lockedText === null ? null : { ...lockedText, ...key },
  drawings: drawings.map((drawing) => ({ ...drawing, ...key })),
});

/** Checks that a version is complete and free of refused words, then renders it. */
export async function prepareSubmission(
  ctx: Ctx,
  essay: EssayFields,
  drawingSource: DrawingSource = { given: [] },
): Promise<Submission> {
  const startedAt = Date.now();
  checkComplete(essay);
  const { title, summary, content, words } = await screenFields(ctx, essay);
  const isLocked = paywallOf(essay) !== null;
  const prepared = await prepareDrawings(ctx, drawingSource);
  const rendered = await renderContent(ctx, content.masked, {
    previewPercent: isLocked ? essay.previewPercent : null,
    drawings: Object.fromEntries(prepared.map((drawing) => [drawing.sourceHash, drawing])),
  });
  const drawings = listUsed(prepared, rendered.html);
  const renderedWords = [
    ...(await screenRendered(ctx, rendered.html)),
    ...(await screenDrawings(ctx, drawings)),
  ];
  // The client has received a timeout by now, so the submission must not succeed later.
  if (Date.now() - startedAt > MAX_DURATION_MS) throw new CallError('TIMEOUT');
  const { html, toc, text, wordCount, readMinutes, hasMath, hasDiagrams } = rendered;
  const publicPart = rendered.preview ?? rendered;
  return {
    publicText: {
      title: title.masked,
      summary: summary.masked || publicPart.summary,
      html: publicPart.html,
      toc: publicPart.toc,
      text: publicPart.text,
      wordCount,
      readMinutes,
      hasMath,
      hasDiagrams,
      words: [...new Set([...words, ...renderedWords])],
    },
    lockedText: rendered.preview === null ? null : { html, toc, text },
    drawings,
  };
}
