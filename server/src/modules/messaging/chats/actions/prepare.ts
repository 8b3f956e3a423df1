import type { ChatKind } from '@mozhan/contract/chats.ts';
import { id } from '@mozhan/contract/common.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import { z } from 'zod';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { findOwnPicture } from '../queries/messages.ts';
import { normalizeForSearch } from '../rules/chats.ts';
import type { MessageRow } from '../tables.ts';
import { prepareText } from '../text.ts';
import { findEssayCards } from './message-views.ts';

export type PreparedBody = Pick<MessageRow, 'kind' | 'content' | 'masked' | 'html' | 'image'> & {
  folded: string;
};

export interface MessageDraft {
  kind: ChatKind;
  content: string;
}

const emptyBody = { masked: null, html: '', image: null, folded: '' };

/** Screens and renders a text, or looks up a picture or an essay. Slow: never call it inside a transaction. */
export async function prepareBody(
  ctx: Ctx,
  viewer: Viewer,
  { kind, content }: MessageDraft,
  onHold: 'mask' | 'refuse',
): Promise<PreparedBody> {
  if (kind === 'image') {
    const image = await findOwnPicture(ctx.db, viewer.id, content);
    if (image === null) throw invalidField('content', '请先上传图片，再发送');
    return { ...emptyBody, kind, content, image };
  }
  if (kind === 'essay') {
    const isId = z.safeParse(id, content).success;
    if (!isId || !(await findEssayCards(ctx, [content])).has(content))
      throw invalidField('content', '没有找到这篇文章');
    return { ...emptyBody, kind, content };
  }
  const text = await prepareText(ctx, content, { onHold });
  return {
    kind,
    content,
    masked: text.masked,
    html: text.html,
    image: null,
    folded: normalizeForSearch(text.plain),
  };
}
