import type { Assets } from './assets.ts';
import { markIcon } from './ui/mark.ts';

export interface DocumentParts {
  assets: Assets;
  /** Title and the like, as the page's components gave them. */
  head: string;
  body: string;
  /** For the browser to take the page over without asking again. */
  data: unknown;
}

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** A closing tag inside the data must not end the element that carries it. */
const toScriptText = (data: unknown) => JSON.stringify(data).replaceAll('<', '\\u003c');

const stylesheet = (href: string) => `<link rel="stylesheet" href="${escapeAttribute(href)}">`;
const modulePreload = (href: string) => `<link rel="modulepreload" href="${escapeAttribute(href)}">`;

/** The whole page. No script and no style stand in it: the content security policy allows files of the site only. */
export function toDocument({ assets, head, body, data }: DocumentParts): string {
  return [
    '<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="theme-color" content="#fcfbf9" media="(prefers-color-scheme: light)">',
    '<meta name="theme-color" content="#171513" media="(prefers-color-scheme: dark)">',
    `<link rel="icon" href="${escapeAttribute(markIcon)}">`,
    `<script src="${escapeAttribute(assets.boot)}"></script>`,
    ...assets.css.map(stylesheet),
    ...assets.preload.map(modulePreload),
    `<script type="module" src="${escapeAttribute(assets.entry)}"></script>`,
    head,
    `</head><body>${body}`,
    `<script type="application/json" id="data">${toScriptText(data)}</script>`,
    '</body></html>',
  ].join('');
}
