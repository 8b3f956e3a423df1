import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { parseTo } from './parse-to.ts';
import { toDestination } from './picture-destination.ts';

/** Parts of the column; null: as large as the picture is. */
export type PictureWidth = '50%' | '75%' | '100%' | null;
export const pictureWidths: readonly PictureWidth[] = [null, '100%', '75%', '50%'];

export interface PictureFields {
  url: string;
  alt: string;
  /** The title, which is shown below the picture. */
  caption: string;
  width: PictureWidth;
}

export interface PictureInText extends PictureFields {
  from: number;
  to: number;
}

const unescapeMarkdown = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
const escapeMarkdown = (text: string, marks: RegExp): string => text.replace(marks, '\\$&');

const entities: Record<string, string> = {
  '&amp;': '&',
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&#39;': "'",
};
const unescapeHtml = (text: string): string =>
  text.replace(/&(?:amp|quot|lt|gt|#39);/g, (name) => entities[name] ?? name);
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Longer tags are left alone. */
export const MAX_TAG_LENGTH = 4000;
const ATTRIBUTE = /\s([a-z]{1,20})="([^"]*)"/gi;

/** Tags that `formatPicture` could not write again, for example with a width in pixels, are left alone. */
export function parsePictureTag(tag: string): PictureFields | null {
  if (!/^<img\s?\/?>$/i.test(tag.replace(ATTRIBUTE, '').trim())) return null;
  const attributes = new Map(
    [...tag.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      unescapeHtml(value),
    ]),
  );
  const width = pictureWidths.find((each) => each === (attributes.get('width') ?? null));
  const isKnown = [...attributes.keys()].every((name) => ['src', 'alt', 'title', 'width'].includes(name));
  if (width === undefined || !isKnown) return null;
  return {
    url: attributes.get('src') ?? '',
    alt: attributes.get('alt') ?? '',
    caption: attributes.get('title') ?? '',
    width,
  };
}

/** The picture that the cursor is in or beside. */
export function pictureAt(state: EditorState): PictureInText | null {
  const { head } = state.selection.main;
  for (const side of [-1, 1] as const) {
    let node = parseTo(state, head).resolveInner(head, side);
    while (!['Image', 'HTMLTag', 'HTMLBlock'].includes(node.name) && node.parent !== null) node = node.parent;
    const { from, to } = node;
    if (node.name === 'HTMLTag' || node.name === 'HTMLBlock') {
      const tag = state.sliceDoc(from, Math.min(to, from + MAX_TAG_LENGTH));
      const fields = parsePictureTag(tag);
      if (fields !== null) return { ...fields, from, to: from + tag.trimEnd().length };
    }
    if (node.name !== 'Image') continue;
    const [open, close] = node.getChildren('LinkMark');
    const url = node.getChild('URL');
    // Pictures by reference (`![a][b]`) have no address here.
    if (open === undefined || close === undefined || url === null) continue;
    const title = node.getChild('LinkTitle');
    return {
      from,
      to,
      url: state.sliceDoc(url.from, url.to).replace(/^<|>$/g, ''),
      alt: unescapeMarkdown(state.sliceDoc(open.to, close.from)),
      caption: title === null ? '' : unescapeMarkdown(state.sliceDoc(title.from + 1, title.to - 1)),
      width: null,
    };
  }
  return null;
}

const toLine = (text: string): string => text.split(/\s+/).join(' ').trim();

/** Markdown has no widths, so a picture with a width is an HTML tag, as other editors write it. */
export function formatPicture({ url, alt, caption, width }: PictureFields): string {
  const [name, title] = [toLine(alt), toLine(caption)];
  if (width === null) {
    const end = title === '' ? '' : ` "${escapeMarkdown(title, /["\\]/g)}"`;
    return `![${escapeMarkdown(name, /[[\]\\]/g)}](${toDestination(url)}${end})`;
  }
  const end = title === '' ? '' : ` title="${escapeHtml(title)}"`;
  return `<img src="${escapeHtml(url)}" alt="${escapeHtml(name)}"${end} width="${width}">`;
}

/** Changes the picture, also if the text before it has changed meanwhile. Returns false if it is gone. */
export function updatePicture(
  view: EditorView,
  picture: PictureInText,
  changes: Partial<PictureFields>,
): boolean {
  if (view.state.readOnly) return false;
  const current = pictureAt(view.state);
  const isSame = current?.from === picture.from && current.url === picture.url;
  const at = isSame ? picture.from : view.state.doc.toString().indexOf(formatPicture(picture));
  if (at < 0) return false;
  const to = isSame ? current.to : at + formatPicture(picture).length;
  const insert = formatPicture({ ...(isSame ? current : picture), ...changes });
  view.dispatch({
    changes: { from: at, to, insert },
    selection: { anchor: at + insert.length },
    userEvent: 'input',
    scrollIntoView: true,
  });
  return true;
}
