import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { renderComment } from '../../../platform/text/index.ts';
import { atBase } from '../../essays/index.ts';
import { listNameable } from '../queries/comments.ts';
import type { CommentRow } from '../tables.ts';

export type Prepared = Pick<CommentRow, 'status' | 'content' | 'masked' | 'html' | 'words' | 'mentions'>;

function refuse(words: string[]): never {
  const message = `含有不能发布的词语：${words.join('、')}`;
  throw new CallError('WORDS_REFUSED', { message, fields: { content: message } });
}

interface Draft {
  content: string;
  mentions?: string[] | undefined;
}

async function render(ctx: Ctx, viewer: Viewer, { content, mentions = [] }: Draft) {
  const people = await listNameable(ctx.db, mentions, viewer.id);
  return renderComment(callerOf(ctx), content, people, ctx.services.config.siteUrl);
}

/** Code is no speech. Where it stands is asked only when it may matter. */
async function screenTyped(ctx: Ctx, viewer: Viewer, content: string) {
  const whole = await screenText(ctx, content);
  if (whole.level === null) return whole;
  const { code } = await render(ctx, viewer, { content });
  return screenText(ctx, content, code);
}

export async function preview(ctx: Ctx, viewer: Viewer, draft: Draft): Promise<{ html: string }> {
  const { masked } = await screenTyped(ctx, viewer, draft.content);
  const { html } = await render(ctx, viewer, { ...draft, content: masked });
  return { html: atBase(html, ctx.services.config) };
}

/** Screens and lays out what somebody wants to say. Takes a while: never inside a transaction. */
export async function prepare(ctx: Ctx, viewer: Viewer, { content, mentions }: Draft): Promise<Prepared> {
  const typed = await screenTyped(ctx, viewer, content);
  if (typed.level === 'refuse') refuse(typed.refused);
  const { html, text, mentioned } = await render(ctx, viewer, {
    content: typed.masked,
    mentions,
  });
  // What is read as a word may be written as none, taken apart by marks or as character codes.
  const read = await screenText(ctx, text);
  if (read.level === 'refuse' || read.level === 'mask') refuse(read.words);
  const isHeld = typed.level === 'hold' || read.level === 'hold';
  return {
    status: isHeld ? COMMENT_STATUS.held : COMMENT_STATUS.shown,
    content,
    masked: typed.masked === content ? null : typed.masked,
    html,
    words: [...new Set([...typed.words, ...read.words])],
    mentions: mentioned,
  };
}
