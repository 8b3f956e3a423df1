import type { Site } from '../http/pages.ts';

type Renderer = Awaited<ReturnType<Site['load']>>;

/** A site without built files, whose pages are what `render` says. */
export const siteOf = (
  render: Renderer['render'],
  normalise: Renderer['normalise'] = (url) => url,
): Site => ({
  load: async () => ({ normalise, render }),
  assets: () => ({ entry: '', boot: '', css: [], entryImports: [], preload: [] }),
  finish: async (_url, html) => html,
});
