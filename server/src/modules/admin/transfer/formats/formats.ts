import { ghost } from './ghost.ts';
import { hexo } from './hexo.ts';
import type { Format } from './types.ts';
import { wordpress } from './wordpress.ts';

export type FormatName = 'ghost' | 'wordpress' | 'hexo';

/** The first that knows the archive reads it. */
export const formats: Record<FormatName, Format> = { ghost, wordpress, hexo };
