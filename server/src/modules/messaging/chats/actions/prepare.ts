import type { ChatKind } from '@mozhan/contract/chats.ts';
import { id } from '@mozhan/contract/common.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import { z } from 'zod';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { findPicture } from '../queries/messages.ts';
import { foldLine } from '../rules/chats.ts';
import type { MessageRow } from '../tables.ts';
import { prepareText } from '../text.ts';
import { findCards } from './show.ts';

/** What is said, ready to be stored. */
export type Body = Pick<MessageRow, 'kind' | 'content' | 'masked' | 'html' | 'image'> & { folded: string };

export interface Draft {
  kind: ChatKind;
  content: string;
}

const plain = { masked: null, html: '', image: null, folded: '' };

/** Screens and lays out a text, looks up a picture or an essay. Takes a while: never inside a transaction. */
export async function prepareBody(
  ctx: Ctx,
  viewer: Viewer,
  { kind, content }: Draft,
  held: 'covered' | 'refused',
): Promise<Body> {
  if (kind === 'image') {
    const image = await findPicture(ctx.db, viewer.id, content);
    if (image === null) throw invalid('content', '请先上传图片，再发送');
    return { ...plain, kind, content, image };
  }
  if (kind === 'essay') {
    const isId = z.safeParse(id, content).success;
    if (!isId || !(await findCards(ctx, [content])).has(content))
      throw invalid('content', '没有找到这篇文章');
    return { ...plain, kind, content };
  }
  const text = await prepareText(ctx, content, { held });
  return { kind, content, masked: text.masked, html: text.html, image: null, folded: foldLine(text.plain) };
}
