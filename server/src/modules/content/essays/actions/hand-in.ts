import { CallError } from '@mozhan/contract/errors.ts';
import type { EssayFields } from '@mozhan/contract/essays.ts';
import { replaceSections } from '@mozhan/contract/scan.ts';
import type { Ctx } from '../../../../ctx.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { screenMarkdown, screenText } from '../../../platform/sensitive-words/index.ts';
import { listPictures as listAddresses, renderEssay, toPlainText } from '../../../platform/text/index.ts';
import * as queries from '../queries/essays.ts';
import { lockOf } from '../rules/essays.ts';
import type { TextRow } from '../tables.ts';

/** Below the time that the server gives to a call. */
const LONGEST_WAIT_MS = 22_000;

type Text = Omit<TextRow, 'essayId' | 'version'>;

/** A version laid out for readers: what everyone may read, and the whole text where that is not the same. */
export interface HandedIn {
  open: Text;
  locked: Pick<Text, 'html' | 'toc' | 'text'> | null;
}

type Layout = Omit<Parameters<typeof renderEssay>[2], 'pictures' | 'siteUrl'>;

/** Lays out a text with the sizes of its pictures. Takes a while: never inside a transaction. */
async function layOut(ctx: Ctx, content: string, layout: Layout) {
  const { siteUrl } = ctx.services.config;
  const own = siteUrl === null ? content : content.replaceAll(`${siteUrl}/files/`, '/files/');
  const pictures = await queries.listPictures(ctx.db, listAddresses(own));
  return renderEssay(callerOf(ctx), content, {
    ...layout,
    siteUrl,
    pictures: Object.fromEntries(
      pictures.map(({ path, thumbPath, middlePath, width, height }) => [
        path,
        { width, height, thumb: thumbPath, middle: middlePath },
      ]),
    ),
  });
}

/** The whole text as it would be on the shelf, for the author. */
export const preview = (ctx: Ctx, content: string) =>
  layOut(ctx, content, { previewPercent: null, lane: 'preview' });

function checkComplete({ title, categoryId, content, declaration, source }: EssayFields): void {
  const fields = {
    ...(title === '' ? { title: '请填写标题' } : {}),
    ...(categoryId === null ? { categoryId: '请选择分类' } : {}),
    ...(content.trim() === '' ? { content: '请填写正文' } : {}),
    ...(declaration === 'reprint' && source === '' ? { source: '转载请填写原文地址' } : {}),
  };
  if (Object.keys(fields).length > 0) throw new CallError('ESSAY_INCOMPLETE', { fields });
}

/** Words that may not be published refuse it; others are put before the auditor, or hidden from readers. */
async function screen(ctx: Ctx, essay: EssayFields) {
  const parts = {
    title: await screenText(ctx, essay.title),
    summary: await screenText(ctx, essay.summary),
    tags: await screenText(ctx, essay.tags.join('\n')),
    content: await screenMarkdown(ctx, essay.content),
  };
  // A tag with a hidden part would be no tag.
  const isRefused = (field: string, level: string | null) =>
    level === 'refuse' || (field === 'tags' && level === 'mask');
  const refused = Object.entries(parts).filter(([field, { level }]) => isRefused(field, level));
  if (refused.length > 0) {
    const sentence = ({ refused, words }: { refused: string[]; words: string[] }) =>
      `含有不能发布的词语：${(refused.length > 0 ? refused : words).join('、')}`;
    throw new CallError('WORDS_REFUSED', {
      fields: Object.fromEntries(refused.map(([field, screened]) => [field, sentence(screened)])),
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
 * What is read as a word may be written as none: taken apart by marks, or as character codes. What still shows after
 * hiding refuses the text; the auditor is told of the rest.
 */
async function screenLaidOut(ctx: Ctx, html: string): Promise<string[]> {
  const shown = toPlainText(withoutCode(html).replace(BLOCK_END, '\n$&'));
  const { level, words } = await screenText(ctx, shown);
  if (level === 'refuse' || level === 'mask')
    throw new CallError('WORDS_REFUSED', { fields: { content: `含有不能发布的词语：${words.join('、')}` } });
  return words;
}

/** What an audit needs of a version: complete, free of refused words, laid out. */
export async function handIn(ctx: Ctx, essay: EssayFields): Promise<HandedIn> {
  const since = Date.now();
  checkComplete(essay);
  const { title, summary, content, words } = await screen(ctx, essay);
  const isLocked = lockOf(essay) !== null;
  const rendered = await layOut(ctx, content.masked, {
    previewPercent: isLocked ? essay.previewPercent : null,
  });
  const shown = await screenLaidOut(ctx, rendered.html);
  // Whoever asked has been told that it failed, or is about to be: nothing may come of it.
  if (Date.now() - since > LONGEST_WAIT_MS) throw new CallError('TIMEOUT');
  const { html, toc, text, wordCount, readMinutes, hasMath, hasDiagrams } = rendered;
  const open = rendered.preview ?? rendered;
  return {
    open: {
      title: title.masked,
      summary: summary.masked || open.summary,
      html: open.html,
      toc: open.toc,
      text: open.text,
      wordCount,
      readMinutes,
      hasMath,
      hasDiagrams,
      words: [...new Set([...words, ...shown])],
    },
    locked: rendered.preview === null ? null : { html, toc, text },
  };
}
