import type { Site } from '../http/pages.ts';

type Renderer = Awaited<ReturnType<Site['loadRenderer']>>;

/** Creates a site without built files, whose pages `render` returns. */
export const createTestSite = (
  render: Renderer['render'],
  normalizeUrl: Renderer['normalizeUrl'] = (url) => url,
  routeKindOf: Renderer['routeKindOf'] = () => 'variable',
): Site => ({
  loadRenderer: async () => ({ normalizeUrl, render, routeKindOf }),
  assets: () => ({ entry: '', boot: '', css: [], entryImports: [], preload: [] }),
  transformHtml: async (_url, html) => html,
});
