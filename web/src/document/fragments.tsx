import type { Site } from '@mozhan/contract/site.ts';
import { Fragment as ReactFragment, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { App, type AppParts } from '../app.tsx';
import { type Fragment, type RegisterFragment, RegisterFragmentContext } from '../lib/cached-fragment.ts';
import { siteQuery } from '../lib/queries.ts';
import { createFragmentCache } from './fragment-cache.ts';

/** Of keys, inputs and HTML; most inputs are a fraction of their HTML. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Random, so that no user content can contain a placeholder. */
const PLACEHOLDER = crypto.randomUUID();
const SEPARATOR = crypto.randomUUID();

/** React emits image preload links first, but they are only valid in the document head. */
const PRELOAD_LINKS = /^(?:<link rel="preload" as="image"[^>]*>)+/;

/** React separates adjacent texts, such as two placeholders, which will be elements. */
const TEXT_SEPARATOR = '<!-- -->';

/** HTML, or the bytes of a cached fragment. */
type Piece = string | Uint8Array;
export type Pieces = [string, ...Piece[]];

/** By layout, name, and page or input. */
const cache = createFragmentCache(MAX_BYTES);
let cachedFor: { site?: Site | undefined; serialized: string } = { serialized: '' };

const encoder = new TextEncoder();

/** Clears the cache when the site settings or base URLs change, because every fragment may depend on them. */
function clearIfSiteChanged({ context, queryClient }: AppParts): void {
  const site = queryClient.getQueryData(siteQuery(context.api).queryKey);
  if (site === cachedFor.site) return;
  const { basePath, siteUrl, filesUrl } = context;
  const serialized = JSON.stringify([site, basePath, siteUrl, filesUrl]);
  if (serialized !== cachedFor.serialized) cache.clear();
  cachedFor = { site, serialized };
}

type FragmentKey = (fragment: Fragment) => string;

/** Renders elements in one pass; their fragments are left out of the HTML. */
function renderWithout(element: ReactNode): { html: string; fragments: Fragment[] } {
  const fragments: Fragment[] = [];
  const register: RegisterFragment = (fragment) => `${PLACEHOLDER}${fragments.push(fragment) - 1};`;
  const html = renderToString(
    <RegisterFragmentContext value={register}>{element}</RegisterFragmentContext>,
  ).replaceAll(`;${TEXT_SEPARATOR}${PLACEHOLDER}`, `;${PLACEHOLDER}`);
  return { html, fragments };
}

/** Puts the fragments into the HTML with their placeholders. */
function fill(html: string, fragments: Fragment[], bytesOf: (fragment: Fragment) => Uint8Array): Pieces {
  const [start = '', ...rest] = html.split(PLACEHOLDER);
  const pieces: Pieces = [start];
  for (const piece of rest) {
    const end = piece.indexOf(';');
    pieces.push(bytesOf(fragments[Number(piece.slice(0, end))] as Fragment));
    if (end + 1 < piece.length) pieces.push(piece.slice(end + 1));
  }
  return pieces;
}

export function toBytes(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const encoded = pieces.map((piece) => (typeof piece === 'string' ? encoder.encode(piece) : piece));
  const bytes = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const each of encoded) {
    bytes.set(each, offset);
    offset += each.length;
  }
  return bytes;
}

/** Renders those fragments that are not cached together, because each pass of React has a cost of its own. */
function renderFragments(app: AppParts, fragments: Fragment[], keyOf: FragmentKey): Map<string, Uint8Array> {
  const rendered = new Map<string, Uint8Array>();
  const missing = new Map<string, Fragment>();
  for (const fragment of fragments) {
    const key = keyOf(fragment);
    const cached = cache.find(key, fragment.input);
    if (cached === undefined) missing.set(key, fragment);
    else rendered.set(key, cached);
  }
  if (missing.size === 0) return rendered;
  const { html, fragments: inner } = renderWithout(
    <App app={app}>
      {[...missing].map(([key, { children }]) => (
        <ReactFragment key={key}>
          {children}
          {SEPARATOR}
        </ReactFragment>
      ))}
    </App>,
  );
  const innerBytes = renderFragments(app, inner, keyOf);
  const bytesOf = (fragment: Fragment) => innerBytes.get(keyOf(fragment)) as Uint8Array;
  const parts = html.replace(PRELOAD_LINKS, '').split(SEPARATOR);
  for (const [at, [key, { input }]] of [...missing].entries()) {
    const part = parts[at] ?? '';
    const bytes = toBytes(
      fill(part.startsWith(TEXT_SEPARATOR) ? part.slice(TEXT_SEPARATOR.length) : part, inner, bytesOf),
    );
    rendered.set(key, bytes);
    cache.add(key, { input, bytes });
  }
  return rendered;
}

/** `renderToString` with a cache: each `CachedFragment` is rendered separately and reused. */
export function renderWithFragments(app: AppParts, element: ReactNode): Pieces {
  try {
    return renderFromCache(app, element);
  } catch {
    // In its place in the tree, a fragment that fails is left to the boundary around it.
    return [renderToString(element)];
  }
}

function renderFromCache(app: AppParts, element: ReactNode): Pieces {
  clearIfSiteChanged(app);
  const { layout, url } = app.router.view();
  const keyOf: FragmentKey = ({ name, input, isOfPage }) =>
    isOfPage ? `${layout} ${name} of ${url}` : `${layout} ${name} ${input}`;
  const { html, fragments } = renderWithout(element);
  const bytes = renderFragments(app, fragments, keyOf);
  return fill(html, fragments, (fragment) => bytes.get(keyOf(fragment)) as Uint8Array);
}
