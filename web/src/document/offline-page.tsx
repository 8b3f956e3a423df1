import { createClient } from '@mozhan/contract/client.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { AppContext } from '../lib/app-context.ts';
import { hashText } from '../lib/landscape-shapes.ts';
import { buttonClass } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Landscape } from '../ui/landscape.tsx';
import { Logo } from '../ui/logo.tsx';
import type { Assets } from './assets.ts';
import { brandStylesheetHref } from './brand.ts';
import { renderDocument } from './document.ts';

interface ServiceWorkerOptions {
  source: string;
  settings: SiteSettings;
  assets: (pageFile?: string) => Assets;
  basePath: string;
}

/** Configuration that is prepended to the service worker script. */
export interface ServiceWorkerConfig {
  /** Hash of the build and of the site's appearance; a change installs a new worker. */
  version: string;
  basePath: string;
  files: string[];
  /** HTML shown for a page that is not cached. */
  offline: string;
}

const api = createClient(() => Promise.reject(new Error('the offline page must not make API calls')));

/** Uses only components whose styles are in the shared stylesheets. */
function OfflinePage({ title, logo }: SiteSettings) {
  return (
    <div id="root">
      <header className="wrap">
        <Logo title={title} image={logo} />
      </header>
      <main id="main" className="wrap">
        <Empty
          level="h1"
          title="当前处于离线状态"
          picture={<Landscape seed="云深不知处" hue={245} sun={[228, 56]} />}
          actions={
            // biome-ignore lint/a11y/useValidAnchor: an empty href reloads the current URL
            <a href="" className={buttonClass({ variant: 'primary' })}>
              再试一次
            </a>
          }
        >
          <p>这一页没有存在这台设备上。连上网络之后再试一次，或者回到读过的那一页。</p>
        </Empty>
      </main>
    </div>
  );
}

function renderOfflinePage({ settings, assets, basePath }: ServiceWorkerOptions): string {
  return renderDocument({
    assets: assets(),
    site: { settings, basePath },
    head: renderToStaticMarkup(
      <>
        <title>{`当前处于离线状态 · ${settings.title}`}</title>
        <meta name="robots" content="noindex" />
      </>,
    ),
    body: renderToStaticMarkup(
      <AppContext value={{ api, basePath, siteUrl: '', filesUrl: basePath }}>
        <OfflinePage {...settings} />
      </AppContext>,
    ),
  });
}

/** The worker's source with its configuration. With offline support off, the script unregisters the worker. */
export function renderServiceWorker(parts: ServiceWorkerOptions): string {
  const { source, settings, assets, basePath } = parts;
  if (!settings.pwa) return `self.site = null;\n${source}`;
  const { entry, boot, css, preload } = assets('src/pages/home.tsx');
  // The home page imports it only when there is an announcement.
  const announcements = assets('src/features/site/announcement-bar.tsx').preload;
  const brand = brandStylesheetHref(basePath, settings.colorPrimary);
  const logo = settings.logo.startsWith('/') ? [basePath + settings.logo] : [];
  const files = [
    ...new Set([
      entry,
      boot,
      ...css,
      ...preload,
      ...announcements,
      ...logo,
      ...(brand === null ? [] : [brand]),
    ]),
  ];
  const offline = renderOfflinePage(parts);
  const version = hashText(source + files.join() + offline).toString(36);
  const site: ServiceWorkerConfig = { version, basePath, files, offline };
  return `self.site = ${JSON.stringify(site)};\n${source}`;
}
