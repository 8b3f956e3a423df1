import { allowedTags } from '@mozhan/contract/allowed-tags.ts';
import type { Options } from 'rehype-sanitize';

/** Pixels, or a part of the column; `pictures.ts` turns parts into classes. */
const WIDTH = /^(?:[1-9]\d{0,3}|50%|75%|100%)$/;
const SIZE = /^[1-9]\d{0,3}$/;
const SPAN = /^[1-9]\d?$/;
const START = /^-?\d{1,9}$/;
const align = ['align', 'left', 'center', 'right'] as [string, ...string[]];
const cell: NonNullable<Options['attributes']>[string] = [align, ['colSpan', SPAN], ['rowSpan', SPAN]];
const FOOTNOTE = /^user-content-fn-/;
const REFERENCE = /^user-content-fnref-/;
/** Phone keyboards capitalise the first letter of a line. */
const WEB_PROTOCOLS = ['http', 'https', 'Http', 'Https', 'HTTP', 'HTTPS'];

export const sanitizeSchema: Options = {
  tagNames: [...allowedTags],
  attributes: {
    a: [
      ...['href', 'title', 'ariaLabel', 'dataFootnoteRef', 'dataFootnoteBackref'],
      ['id', REFERENCE],
      ['ariaDescribedBy', 'footnote-label'],
      ['className', 'data-footnote-backref'],
    ],
    abbr: ['title'],
    code: ['dataMeta', ['className', /^language-./, 'math-inline', 'math-display']],
    details: ['open'],
    h2: [['id', 'footnote-label']],
    img: ['src', 'alt', 'title', ['width', WIDTH], ['height', SIZE]],
    input: [
      ['type', 'checkbox'],
      ['disabled', true],
      ['checked', true],
    ],
    li: [
      ['id', FOOTNOTE],
      ['className', 'task-list-item'],
    ],
    ol: [['start', START], 'reversed', ['className', 'contains-task-list']],
    section: ['dataFootnotes', ['className', 'footnotes']],
    td: cell,
    th: [...cell, ['scope', 'col', 'row']],
    ul: [['className', 'contains-task-list']],
  },
  ancestors: {
    caption: ['table'],
    thead: ['table'],
    tbody: ['table'],
    tfoot: ['table'],
    tr: ['table'],
    th: ['table'],
    td: ['table'],
    li: ['ul', 'ol'],
    dt: ['dl'],
    dd: ['dl'],
    summary: ['details'],
    figcaption: ['figure'],
    rt: ['ruby'],
    rp: ['ruby'],
  },
  protocols: { href: [...WEB_PROTOCOLS, 'mailto', 'Mailto', 'MAILTO'], src: WEB_PROTOCOLS },
  required: { input: { type: 'checkbox', disabled: true } },
  // Only footnote ids pass the sanitiser, and they already have a prefix.
  clobber: [],
  strip: ['script', 'style', 'svg', 'math', 'template', 'iframe', 'title', 'textarea', 'xmp', 'noscript'],
};
