import { replaceTags } from '@mozhan/contract/scan.ts';
import type { Variant } from '#web/router/places.ts';

const HREF = /\shref="([^"]*)"/;
const ESSAY = /^m?detail(?=\/[0-9a-f]{32}\.html)/;

interface SiteAddress {
  basePath: string;
  /** With the base path. */
  siteUrl: string;
}

/** Links to essays of this site, inside a text, lead to the kind of page that the text stands in. */
export function linksFor(html: string, variant: Variant, { basePath, siteUrl }: SiteAddress): string {
  const kind = variant === 'bare' ? 'mdetail' : 'detail';
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
