import type { Site } from '../http/pages.ts';

type Renderer = Awaited<ReturnType<Site['loadRenderer']>>;

/** Creates a site without built files, whose pages `render` returns. */
export const createTestSite = (
  render: (
    ...given: Parameters<Renderer['render']>
  ) => Promise<Omit<Awaited<ReturnType<Renderer['render']>>, 'html'> & { html: string }>,
  normalizeUrl: Renderer['normalizeUrl'] = (url) => url,
  routeKindOf: Renderer['routeKindOf'] = () => 'variable',
): Site => ({
  loadRenderer: async () => ({
    normalizeUrl,
    routeKindOf,
    async render(request) {
      const { html, ...rest } = await render(request);
      return { ...rest, html: new TextEncoder().encode(html) };
    },
  }),
  assets: () => ({ entry: '', boot: '', css: [], entryImports: [], preload: [] }),
});
