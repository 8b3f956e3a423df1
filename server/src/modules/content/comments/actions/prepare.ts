import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { renderComment } from '../../../platform/text/index.ts';
import { withBasePath } from '../../essays/index.ts';
import { listMentionable } from '../queries/comments.ts';
import type { CommentRow } from '../tables.ts';

export type PreparedComment = Pick<
  CommentRow,
  'status' | 'content' | 'masked' | 'html' | 'words' | 'mentions'
>;

function throwWordsRefused(words: string[]): never {
  const message = `含有不能发布的词语：${words.join('、')}`;
  throw new CallError('WORDS_REFUSED', { message, fields: { content: message } });
}

interface CommentDraft {
  content: string;
  mentions?: string[] | undefined;
}

/** Guests mention nobody. */
async function render(ctx: Ctx, writer: Viewer | null, { content, mentions = [] }: CommentDraft) {
  const mentionable = writer === null ? [] : await listMentionable(ctx.db, mentions, writer.id);
  return renderComment(callerOf(ctx), content, mentionable, ctx.services.config.siteUrl);
}

/** Code is not screened. Rendering finds the code, so it runs only when a word was found. */
async function screenOutsideCode(ctx: Ctx, writer: Viewer | null, content: string) {
  const result = await screenText(ctx, content);
  if (result.level === null) return result;
  const { codeRanges: code } = await render(ctx, writer, { content });
  return screenText(ctx, content, code);
}

export async function previewComment(
  ctx: Ctx,
  viewer: Viewer,
  draft: CommentDraft,
): Promise<{ html: string }> {
  const { masked } = await screenOutsideCode(ctx, viewer, draft.content);
  const { html } = await render(ctx, viewer, { ...draft, content: masked });
  return { html: withBasePath(html, ctx.services.config) };
}

/** Screens and renders a comment. It is slow, so never call it inside a transaction. */
export async function prepareCommentText(
  ctx: Ctx,
  writer: Viewer | null,
  { content, mentions }: CommentDraft,
): Promise<PreparedComment> {
  const source = await screenOutsideCode(ctx, writer, content);
  if (source.level === 'refuse') throwWordsRefused(source.refused);
  const {
    html,
    text,
    mentionedIds: mentioned,
  } = await render(ctx, writer, {
    content: source.masked,
    mentions,
  });
  // Markup or character references can hide a sensitive word from the first screening.
  const visible = await screenText(ctx, text);
  if (visible.level === 'refuse' || visible.level === 'mask') throwWordsRefused(visible.words);
  const isHeld = source.level === 'hold' || visible.level === 'hold';
  return {
    status: isHeld ? COMMENT_STATUS.held : COMMENT_STATUS.visible,
    content,
    masked: source.masked === content ? null : source.masked,
    html,
    words: [...new Set([...source.words, ...visible.words])],
    mentions: mentioned,
  };
}
