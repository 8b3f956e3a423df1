import { randomUUID } from 'node:crypto';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../../ctx.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { type GivenDrawing, sanitizeDrawings } from '../../../platform/text/index.ts';
import type { EssayDrawingRow } from '../tables.ts';

/** A drawing that is not yet bound to a version. */
export type Drawing = Omit<EssayDrawingRow, 'essayId' | 'version'>;

/** Drawings that the writer's browser sent, or those of a version that was submitted before. */
export type DrawingSource = { given: GivenDrawing[] } | { stored: Drawing[] };

export async function prepareDrawings(ctx: Ctx, source: DrawingSource): Promise<Drawing[]> {
  if ('stored' in source) return source.stored;
  if (source.given.length === 0) return [];
  const sanitized = await sanitizeDrawings(callerOf(ctx), source.given);
  const byHash = new Map(sanitized.map((drawing) => [drawing.sourceHash, drawing]));
  return [...byHash.values()].map((drawing) => ({ id: randomUUID().replaceAll('-', ''), ...drawing }));
}

/** Drawings of sources that the text does not contain are dropped, also those whose source was masked. */
export const listUsed = (drawings: Drawing[], html: string): Drawing[] =>
  drawings.filter(({ id }) => html.includes(`/drawings/${id}-`));

/** A drawing may contain other words than its source. Returns the words to report to the auditor. */
export async function screenDrawings(ctx: Ctx, drawings: Drawing[]): Promise<string[]> {
  if (drawings.length === 0) return [];
  const { level, words } = await screenText(ctx, drawings.map(({ text }) => text).join('\n'));
  if (level === 'refuse' || level === 'mask')
    throw new CallError('WORDS_REFUSED', {
      fields: { content: `图表里含有不能发布的词语：${words.join('、')}` },
    });
  return words;
}
