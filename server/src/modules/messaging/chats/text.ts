import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../ctx.ts';
import { callerOf } from '../../../threads/fair-queue.ts';
import { screenText } from '../../platform/sensitive-words/index.ts';
import { renderComment, toPlainText } from '../../platform/text/index.ts';

interface Prepared {
  content: string;
  /** As others see it, where some words are hidden. */
  masked: string | null;
  html: string;
  /** The words of it, on one line. */
  plain: string;
}

function refuse(field: string, words: string[]): never {
  const message = `含有不能发布的词语：${words.join('、')}`;
  throw new CallError('WORDS_REFUSED', { message, fields: { [field]: message } });
}

/** Nobody looks through what two write to each other: what would be held is covered there, and refused elsewhere. */
export async function prepareText(
  ctx: Ctx,
  content: string,
  { held }: { held: 'covered' | 'refused' },
): Promise<Prepared> {
  const covers = held === 'covered' ? (['mask', 'hold'] as const) : (['mask'] as const);
  const isRefused = ({ level }: { level: string | null }) =>
    level === 'refuse' || (level === 'hold' && held === 'refused');
  let typed = await screenText(ctx, content, undefined, covers);
  if (typed.level !== null) {
    // Code is no speech. Where it stands is asked only when it may matter.
    const { code } = await renderComment(callerOf(ctx), content, []);
    typed = await screenText(ctx, content, code, covers);
  }
  if (isRefused(typed)) refuse('content', typed.level === 'refuse' ? typed.refused : typed.words);
  const { html, text } = await renderComment(callerOf(ctx), typed.masked, [], ctx.services.config.siteUrl);
  // What is read as a word may be written as none, taken apart by marks or as character codes.
  const read = await screenText(ctx, text);
  if (read.level !== null) refuse('content', read.words);
  return {
    content,
    masked: typed.masked === content ? null : typed.masked,
    html,
    plain: toPlainText(html),
  };
}

/** A line of plain text, as it may be shown to the other. */
export async function prepareLine(ctx: Ctx, field: string, line: string): Promise<string> {
  const { level, refused, masked } = await screenText(ctx, line, undefined, ['mask', 'hold']);
  if (level === 'refuse') refuse(field, refused);
  return masked;
}
