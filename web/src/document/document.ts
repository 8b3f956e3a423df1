import type { SiteSettings } from '@mozhan/contract/site.ts';
import { markIcon } from '../ui/mark.ts';
import type { Assets } from './assets.ts';
import { brandHref } from './brand.ts';

export interface DocumentParts {
  assets: Pick<Assets, 'entry' | 'boot' | 'css' | 'preload'>;
  /** What the operator chose for the reader site; none: a page that does not follow it, or could not load it. */
  site?: { settings: SiteSettings; announcements?: readonly { id: string }[]; basePath: string };
  /** Title and the like, as the page's components gave them. */
  head: string;
  /** JSON-LD for search engines. */
  linkedData?: readonly object[];
  body: string;
  /** For the browser to take the page over without asking again; none: the page stays as it is. */
  data?: unknown;
  /** To be looked at only: without scripts, and out of reach. */
  isPreview?: boolean;
}

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** A closing tag inside the data must not end the element that carries it. */
const toScriptText = (data: unknown) => JSON.stringify(data).replaceAll('<', '\\u003c');

const stylesheet = (href: string) => `<link rel="stylesheet" href="${escapeAttribute(href)}">`;
// The page is complete without them: what it is painted with comes first.
const modulePreload = (href: string) =>
  `<link rel="modulepreload" href="${escapeAttribute(href)}" fetchpriority="low">`;

const LIGHT = '#fcfbf9';
const DARK = '#171513';

const ICON = `<link rel="icon" href="${escapeAttribute(markIcon())}">`;

/** Marks for the styles, where the operator's layout is not the usual one. */
function layoutMarks({ layout, fixedHeader, fixSiderbar, contentWidth, colorWeak }: SiteSettings): string {
  const marks = [
    layout !== 'top' && ` data-layout="${layout}"`,
    !fixedHeader && ' data-header="static"',
    !fixSiderbar && ' data-sider="static"',
    contentWidth === 'Fluid' && ' data-width="fluid"',
    colorWeak && ' data-weak="on"',
  ];
  return marks.filter(Boolean).join('');
}

/** For boot.ts, which knows what the reader has put away. */
const newsMark = (announcements: readonly { id: string }[] = []): string =>
  announcements.length === 0 ? '' : ` data-news="${announcements.map(({ id }) => id).join(' ')}"`;

function siteLinks({ settings, basePath }: NonNullable<DocumentParts['site']>): string[] {
  const brand = brandHref(basePath, settings.colorPrimary);
  return [
    // After the site's own styles, whose colours it replaces.
    ...(brand === null ? [] : [stylesheet(brand)]),
    `<link rel="apple-touch-icon" href="${basePath}/apple-touch-icon.png">`,
    ...(settings.pwa ? [`<link rel="manifest" href="${basePath}/manifest.webmanifest">`] : []),
  ];
}

/** The whole page. No script and no style stand in it: the content security policy allows files of the site only. */
export function toDocument({
  assets,
  site,
  head,
  linkedData = [],
  body,
  data,
  isPreview,
}: DocumentParts): string {
  const takenOver = data !== undefined;
  return [
    `<!doctype html><html lang="zh-CN"${site ? layoutMarks(site.settings) + newsMark(site.announcements) : ''}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<meta name="color-scheme" content="light dark">',
    // The colour of the header, which the browser's own bar continues.
    `<meta name="theme-color" content="${site?.settings.navTheme === 'dark' ? DARK : LIGHT}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${DARK}" media="(prefers-color-scheme: dark)">`,
    ICON,
    ...(isPreview ? [] : [`<script src="${escapeAttribute(assets.boot)}"></script>`]),
    ...assets.css.map(stylesheet),
    ...(site ? siteLinks(site) : []),
    ...(takenOver ? assets.preload.map(modulePreload) : []),
    ...(takenOver
      ? [`<script type="module" src="${escapeAttribute(assets.entry)}" fetchpriority="low"></script>`]
      : []),
    head,
    ...linkedData.map((each) => `<script type="application/ld+json">${toScriptText(each)}</script>`),
    `</head><body${isPreview ? ' inert' : ''}>${body}`,
    ...(takenOver ? [`<script type="application/json" id="data">${toScriptText(data)}</script>`] : []),
    '</body></html>',
  ].join('');
}
