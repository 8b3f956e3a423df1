import { ghost } from './ghost.ts';
import { halo } from './halo.ts';
import { hexo } from './hexo.ts';
import { hugo } from './hugo.ts';
import { jekyll } from './jekyll.ts';
import { markdown } from './markdown.ts';
import { typecho } from './typecho.ts';
import type { Format } from './types.ts';
import { wordpress } from './wordpress.ts';

export type FormatName = 'ghost' | 'wordpress' | 'halo' | 'typecho' | 'hexo' | 'jekyll' | 'hugo' | 'markdown';

/** The first format that detects the archive is used. */
export const formats: Record<FormatName, Format> = {
  ghost,
  wordpress,
  halo,
  typecho,
  hexo,
  jekyll,
  hugo,
  markdown,
};
