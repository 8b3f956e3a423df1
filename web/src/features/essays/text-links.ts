import type { Variant } from './places.ts';

const ESSAY = /(<a\b[^>]*\shref="[^"]*?\/essay\/)m?detail(\/[0-9a-f]{32}\.html)/g;

interface SiteAddress {
  basePath: string;
  /** With the base path. */
  siteUrl: string;
}

/** Links to essays of this site, inside a text, lead to the kind of page that the text stands in. */
export function linksFor(html: string, variant: Variant, { basePath, siteUrl }: SiteAddress): string {
  const kind = variant === 'bare' ? 'mdetail' : 'detail';
  return html.replace(ESSAY, (link, before: string, after: string) => {
    const prefix = before.slice(before.lastIndexOf('"') + 1, -'/essay/'.length);
    const isOurs = prefix === '' || prefix === basePath || prefix === siteUrl;
    return isOurs ? `${before}${kind}${after}` : link;
  });
}
