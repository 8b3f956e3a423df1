import type { Site } from '@mozhan/contract/site.ts';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { App, type AppParts } from '../app.tsx';
import { TakePartContext } from '../lib/kept-part.ts';
import { siteQuery } from '../lib/queries.ts';

/** In characters. */
const MAX = 2 * 1024 * 1024;

/** Nobody who writes what pages show knows it. */
const MARK = crypto.randomUUID();

/** React names the pictures of what it renders before it, for the head of a page; those of parts are small. */
const PICTURES = /^(?:<link rel="preload" as="image"[^>]*>)+/;

/** The HTML of parts, for as long as the site is as it is; least recently used out first. */
const texts = new Map<string, string>();
let size = 0;
let current: { site?: Site | undefined; all: string } = { all: '' };

/** Everything that parts show beside what they are given. */
function forgetOthers({ context, queryClient }: AppParts): void {
  const site = queryClient.getQueryData(siteQuery(context.api).queryKey);
  if (site === current.site) return;
  const { basePath, siteUrl, filesUrl } = context;
  const all = JSON.stringify([site, basePath, siteUrl, filesUrl]);
  if (all !== current.all) {
    texts.clear();
    size = 0;
  }
  current = { site, all };
}

function keep(key: string, text: string): void {
  texts.set(key, text);
  size += key.length + text.length;
  for (const [oldest, { length }] of texts) {
    if (size <= MAX) break;
    texts.delete(oldest);
    size -= oldest.length + length;
  }
}

/** Parts that are kept are marked where they belong, rendered if they are new, and put in afterwards. */
export function renderWithParts(app: AppParts, element: ReactNode): string {
  forgetOthers(app);
  const layout = app.router.view().layout;
  return render(element);

  function render(element: ReactNode): string {
    const taken: { key: string; part: ReactNode }[] = [];
    const take = (key: string, part: ReactNode) => `${MARK}${taken.push({ key: layout + key, part }) - 1};`;
    const [start = '', ...rest] = renderToString(
      <TakePartContext value={take}>{element}</TakePartContext>,
    ).split(MARK);
    if (rest.length === 0) return start;
    return (
      start +
      rest
        .map((piece) => {
          const end = piece.indexOf(';');
          const { key, part } = taken[Number(piece.slice(0, end))] as (typeof taken)[number];
          return textOf(key, part) + piece.slice(end + 1);
        })
        .join('')
    );
  }

  function textOf(key: string, part: ReactNode): string {
    const kept = texts.get(key);
    if (kept !== undefined) {
      texts.delete(key);
      texts.set(key, kept);
      return kept;
    }
    const text = render(<App app={app}>{part}</App>).replace(PICTURES, '');
    keep(key, text);
    return text;
  }
}
