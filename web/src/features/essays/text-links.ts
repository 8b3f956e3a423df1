import { replaceTags } from '@mozhan/contract/scan.ts';
import { useApp } from '#web/lib/app-context.ts';
import type { Layout } from '#web/router/navigation.ts';
import { useLayout } from '#web/router/router.tsx';

const HREF = /\shref="([^"]*)"/;
const ESSAY = /^m?detail(?=\/[0-9a-f]{32}\.html)/;

interface SiteAddress {
  basePath: string;
  /** With the base path. */
  siteUrl: string;
}

/** Links to essays of this site, inside a text, lead to the kind of page that the text stands in. */
export function linksFor(html: string, layout: Layout, { basePath, siteUrl }: SiteAddress): string {
  const [kind, other] = layout === 'bare' ? ['mdetail', 'detail'] : ['detail', 'mdetail'];
  // Most texts: reading all their tags takes a tenth of rendering a page.
  if (!html.includes(`/essay/${other}/`)) return html;
  const toKind = (href: string): string => {
    for (const prefix of ['', basePath, siteUrl]) {
      const start = `${prefix}/essay/`;
      if (href.startsWith(start)) return start + href.slice(start.length).replace(ESSAY, kind);
    }
    return href;
  };
  return replaceTags(html, (tag) =>
    /^<a\s/.test(tag) ? tag.replace(HREF, (_, href: string) => ` href="${toKind(href)}"`) : tag,
  );
}

/** `linksFor` of the page that is shown. */
export function useTextLinks(): (html: string) => string {
  const app = useApp();
  const layout = useLayout();
  return (html) => linksFor(html, layout, app);
}
