import type { Ctx } from '../../../../ctx.ts';
import { findTitleBreaks } from '../rules/title-breaks.ts';
import { getDictionary } from './dictionary.ts';

/** Offsets between the words of a title, where a line may end. */
export const getTitleBreaks = async (ctx: Ctx, title: string): Promise<number[]> =>
  findTitleBreaks(await getDictionary(ctx), title);
