import type { SiteSettings } from '@mozhan/contract/site.ts';
import { logoDataUrl } from '../ui/logo-mark.ts';
import type { Assets } from './assets.ts';
import { brandStylesheetHref } from './brand.ts';

export interface DocumentOptions {
  assets: Pick<Assets, 'entry' | 'boot' | 'css' | 'preload'>;
  /** Site settings; undefined for a page that does not follow them or could not load them. */
  site?: { settings: SiteSettings; announcements?: readonly { id: string }[]; basePath: string };
  /** Head elements rendered by the page's components. */
  head: string;
  linkedData?: readonly object[];
  /** Values of `<meta itemprop>` by their name. */
  shareCard?: Readonly<Record<string, string>> | undefined;
  /** Serialized into the page for hydration; without it the page stays static. */
  data?: unknown;
  /** Renders a page that is only displayed: inert and without scripts. */
  isPreview?: boolean;
}

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Escapes `<`, so that a closing tag in the data cannot end the script element. */
const toScriptText = (data: unknown) => JSON.stringify(data).replaceAll('<', '\\u003c');

const stylesheet = (href: string) => `<link rel="stylesheet" href="${escapeAttribute(href)}">`;
// Low priority: the page is complete without them, and its styles must load first.
const modulePreload = (href: string) =>
  `<link rel="modulepreload" href="${escapeAttribute(href)}" fetchpriority="low">`;

const LIGHT = '#fcfbf9';
const DARK = '#171513';

const ICON = `<link rel="icon" href="${escapeAttribute(logoDataUrl())}">`;

function layoutAttributes({
  layout,
  fixedHeader,
  fixSiderbar,
  contentWidth,
  colorWeak,
}: SiteSettings): string {
  const marks = [
    layout !== 'top' && ` data-layout="${layout}"`,
    !fixedHeader && ' data-header="static"',
    !fixSiderbar && ' data-sider="static"',
    contentWidth === 'Fluid' && ' data-width="fluid"',
    colorWeak && ' data-weak="on"',
  ];
  return marks.filter(Boolean).join('');
}

/** boot.ts hides the announcements that the reader has closed. */
const announcementsAttribute = (announcements: readonly { id: string }[] = []): string =>
  announcements.length === 0 ? '' : ` data-news="${announcements.map(({ id }) => id).join(' ')}"`;

function siteLinks({ settings, basePath }: NonNullable<DocumentOptions['site']>): string[] {
  const brand = brandStylesheetHref(basePath, settings.colorPrimary);
  return [
    // After the site's own styles, because it overrides their colours.
    ...(brand === null ? [] : [stylesheet(brand)]),
    `<link rel="apple-touch-icon" href="${basePath}/apple-touch-icon.png">`,
    ...(settings.pwa ? [`<link rel="manifest" href="${basePath}/manifest.webmanifest">`] : []),
  ];
}

/** Renders the document without inline scripts or styles, because the content security policy allows only files. */
export function renderDocument({ body, ...options }: DocumentOptions & { body: string }): string {
  const [start, end] = renderDocumentAround(options);
  return start + body + end;
}

/** What precedes and follows the elements of the body. */
export function renderDocumentAround({
  assets,
  site,
  head,
  linkedData = [],
  shareCard,
  data,
  isPreview,
}: DocumentOptions): [start: string, end: string] {
  const isHydrated = data !== undefined;
  const start = [
    `<!doctype html><html lang="zh-CN"${site ? layoutAttributes(site.settings) + announcementsAttribute(site.announcements) : ''}>`,
    // Properties are only valid inside an item.
    shareCard === undefined ? '<head>' : '<head itemscope itemtype="https://schema.org/WebPage">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<meta name="color-scheme" content="light dark">',
    // The browser's address bar uses the colour of the header.
    `<meta name="theme-color" content="${site?.settings.navTheme === 'dark' ? DARK : LIGHT}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${DARK}" media="(prefers-color-scheme: dark)">`,
    ICON,
    ...(isPreview ? [] : [`<script src="${escapeAttribute(assets.boot)}"></script>`]),
    ...assets.css.map(stylesheet),
    ...(site ? siteLinks(site) : []),
    ...(isHydrated ? assets.preload.map(modulePreload) : []),
    ...(isHydrated
      ? [`<script type="module" src="${escapeAttribute(assets.entry)}" fetchpriority="low"></script>`]
      : []),
    head,
    ...Object.entries(shareCard ?? {}).map(
      ([name, value]) => `<meta itemprop="${name}" content="${escapeAttribute(value)}">`,
    ),
    ...linkedData.map((each) => `<script type="application/ld+json">${toScriptText(each)}</script>`),
    `</head><body${isPreview ? ' inert' : ''}>`,
  ];
  const script = isHydrated ? `<script type="application/json" id="data">${toScriptText(data)}</script>` : '';
  return [start.join(''), `${script}</body></html>`];
}
