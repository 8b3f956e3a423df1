import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../ctx.ts';
import { callerOf } from '../../../threads/fair-queue.ts';
import { screenText } from '../../platform/sensitive-words/index.ts';
import { renderComment, toPlainText } from '../../platform/text/index.ts';

interface PreparedText {
  content: string;
  /** The text for others when sensitive words were masked, otherwise null. */
  masked: string | null;
  html: string;
  /** The text without markup, on one line. */
  plain: string;
}

function refuseWords(field: string, words: string[]): never {
  const message = `含有不能发布的词语：${words.join('、')}`;
  throw new CallError('WORDS_REFUSED', { message, fields: { [field]: message } });
}

/** Screens and renders a text. Staff do not review chats or letters, so words of level `hold` are masked or refused. */
export async function prepareText(
  ctx: Ctx,
  content: string,
  { onHold }: { onHold: 'mask' | 'refuse' },
): Promise<PreparedText> {
  const maskedLevels = onHold === 'mask' ? (['mask', 'hold'] as const) : (['mask'] as const);
  const isRefused = ({ level }: { level: string | null }) =>
    level === 'refuse' || (level === 'hold' && onHold === 'refuse');
  let source = await screenText(ctx, content, undefined, maskedLevels);
  if (source.level !== null) {
    // Code is exempt; its position is computed only when the text contains a sensitive word.
    const { codeRanges } = await renderComment(callerOf(ctx), content, []);
    source = await screenText(ctx, content, codeRanges, maskedLevels);
  }
  if (isRefused(source)) refuseWords('content', source.level === 'refuse' ? source.refused : source.words);
  const { html, text } = await renderComment(callerOf(ctx), source.masked, [], ctx.services.config.siteUrl);
  // The rendered text is screened too: markup or character codes can hide a word in the source.
  const rendered = await screenText(ctx, text);
  if (rendered.level !== null) refuseWords('content', rendered.words);
  return {
    content,
    masked: source.masked === content ? null : source.masked,
    html,
    plain: toPlainText(html),
  };
}

export async function preparePlainLine(ctx: Ctx, field: string, line: string): Promise<string> {
  const { level, refused, masked } = await screenText(ctx, line, undefined, ['mask', 'hold']);
  if (level === 'refuse') refuseWords(field, refused);
  return masked;
}
