import { replaceTags } from '@mozhan/contract/text-scan.ts';
import { useApp } from '#web/lib/app-context.ts';
import type { Layout } from '#web/router/navigation.ts';
import { useLayout } from '#web/router/router.tsx';

const HREF = /\shref="([^"]*)"/;
const ESSAY = /^m?detail(?=\/[^/]+\.html)/;

interface SiteUrls {
  basePath: string;
  /** Includes the base path. */
  siteUrl: string;
}

/** Rewrites links to essays of this site so that they lead to the same type of page (with or without frame). */
export function adaptEssayLinks(html: string, layout: Layout, { basePath, siteUrl }: SiteUrls): string {
  const [segment, otherSegment] = layout === 'bare' ? ['mdetail', 'detail'] : ['detail', 'mdetail'];
  // Most texts have no such link, and scanning all tags takes a tenth of the time to render a page.
  if (!html.includes(`/essay/${otherSegment}/`)) return html;
  const adaptHref = (href: string): string => {
    for (const prefix of ['', basePath, siteUrl]) {
      const start = `${prefix}/essay/`;
      if (href.startsWith(start)) return start + href.slice(start.length).replace(ESSAY, segment);
    }
    return href;
  };
  return replaceTags(html, (tag) =>
    /^<a\s/.test(tag) ? tag.replace(HREF, (_, href: string) => ` href="${adaptHref(href)}"`) : tag,
  );
}

export function useEssayLinkAdapter(): (html: string) => string {
  const app = useApp();
  const layout = useLayout();
  return (html) => adaptEssayLinks(html, layout, app);
}
