import { ghost } from './ghost.ts';
import { hexo } from './hexo.ts';
import type { Format } from './types.ts';
import { wordpress } from './wordpress.ts';

export type FormatName = 'ghost' | 'wordpress' | 'hexo';

/** The first format that detects the archive is used. */
export const formats: Record<FormatName, Format> = { ghost, wordpress, hexo };
