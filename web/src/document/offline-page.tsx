import { createClient } from '@mozhan/contract/client.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { AppContext } from '../lib/app-context.ts';
import { hashText } from '../lib/ink.ts';
import { buttonClass } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Logo } from '../ui/logo.tsx';
import { Landscape } from '../ui/picture.tsx';
import type { Assets } from './assets.ts';
import { brandHref } from './brand.ts';
import { toDocument } from './document.ts';

interface WorkerParts {
  /** The built service-worker.ts. */
  source: string;
  settings: SiteSettings;
  assets: (pageFile?: string) => Assets;
  basePath: string;
}

/** What the worker has to know of the site. */
export interface WorkerSite {
  /** Of the build and of the site's look: another one is another worker. */
  version: string;
  basePath: string;
  /** Kept from the start. */
  files: string[];
  /** HTML for a page that was not kept. */
  offline: string;
}

const api = createClient(() => Promise.reject(new Error('a page without a connection makes no calls')));

/** Made of parts that every page has, so that the site's first styles are enough for it. */
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
            // biome-ignore lint/a11y/useValidAnchor: the address that was asked for, whichever it is
            <a href="" className={buttonClass({ look: 'primary' })}>
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

function toOfflinePage({ settings, assets, basePath }: WorkerParts): string {
  return toDocument({
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

/** The text of the worker: what it has to know, then the worker itself. Without offline support one that takes itself away. */
export function toServiceWorker(parts: WorkerParts): string {
  const { source, settings, assets, basePath } = parts;
  if (!settings.pwa) return `self.site = null;\n${source}`;
  const { entry, boot, css, preload } = assets('src/pages/home.tsx');
  // The home page imports it only while there is an announcement.
  const announcements = assets('src/features/site/announcement-bar.tsx').preload;
  const brand = brandHref(basePath, settings.colorPrimary);
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
  const offline = toOfflinePage(parts);
  const version = hashText(source + files.join() + offline).toString(36);
  const site: WorkerSite = { version, basePath, files, offline };
  return `self.site = ${JSON.stringify(site)};\n${source}`;
}
