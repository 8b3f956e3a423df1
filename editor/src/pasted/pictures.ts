import { readCard } from './cards.ts';
import type { RtfPicture } from './rtf.ts';
import {
  attributeOf,
  type Child,
  createElement,
  type Element,
  findElement,
  firstAttribute,
  isElement,
  type Parent,
  replaceElements,
  setChildren,
  textOf,
} from './tree.ts';

/** A picture of the pasted text: either with its bytes, or with the address it is fetched from. */
export type PastedPicture = { token: string; name: string } & (
  | { url: string }
  | { type: string; bytes: Uint8Array<ArrayBuffer> }
);

export interface FoundPictures {
  pictures: PastedPicture[];
  /** Pictures on the writer's computer, which the clipboard does not contain, or more than are uploaded at once. */
  missing: number;
}

const MAX_PICTURES = 200;
const LAZY_ATTRIBUTES = [
  ...[
    'dataSrc',
    'dataOriginal',
    'dataOriginalSrc',
    'dataActualsrc',
    'dataLazySrc',
    'dataCkeSavedSrc',
    'dataUrl',
  ],
];
const DATA = /^data:(image\/(?:png|jpeg|jpg|gif|webp));base64,/i;
/** Names that editors give to pictures without a description. */
const NO_ALT = /^(?:图片|image|img|picture|\w{0,40}\.(?:png|jpe?g|gif|webp))$/i;

function decodeData(src: string): { type: string; bytes: Uint8Array<ArrayBuffer> } | null {
  const [head, type = ''] = DATA.exec(src) ?? [];
  if (head === undefined) return null;
  try {
    const text = atob(src.slice(head.length).replace(/\s/g, ''));
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
    return { type: type.toLowerCase().replace('jpg', 'jpeg'), bytes };
  } catch {
    return null;
  }
}

const toWebAddress = (src: string): string => {
  const full = src.startsWith('//') ? `https:${src}` : src;
  return /^https?:\/\//i.test(full) && URL.canParse(full) ? full : '';
};

/** The address of the picture itself, where a page shows a small or empty one first. */
const sourceOf = (image: Element): string =>
  LAZY_ATTRIBUTES.map((name) => toWebAddress(attributeOf(image, name))).find((url) => url !== '') ??
  attributeOf(image, 'src');

/** Images of one pixel count visitors. */
const isTracker = (image: Element): boolean =>
  ['width', 'height'].some((name) => /^[01](?:px)?$/.test(attributeOf(image, name)));

/** The caption of a figure becomes the title of its picture. */
function moveCaptions(root: Parent): void {
  replaceElements(root, (figure) => {
    if (figure.tagName !== 'figure') return undefined;
    const image = findElement(figure, ({ tagName }) => tagName === 'img');
    const caption = figure.children.find((child) => isElement(child, 'figcaption'));
    if (image === undefined || caption === undefined) return undefined;
    const text = textOf(caption).replace(/\s+/g, ' ').trim();
    if (text !== '') image.properties.title = text;
    setChildren(
      figure,
      (figure.children as Child[]).filter((child) => child !== caption),
    );
    return undefined;
  });
}

interface PictureContext {
  rtfPictures: readonly RtfPicture[];
  createToken: () => string;
  /** The address of this site; its own pictures stay as they are. */
  origin: string;
}

/** Gives each picture the address `uploading:token`, except those of this site. */
export function convertPictures(
  root: Parent,
  { rtfPictures, createToken, origin }: PictureContext,
): FoundPictures {
  const pictures: PastedPicture[] = [];
  const tokens = new Map<string, string>();
  let missing = 0;
  let localCount = 0;
  moveCaptions(root);
  replaceElements(root, (element) => {
    const card = readCard(element);
    if (card?.name === 'image') {
      const src = String(card.value.src ?? '');
      return replaceImage(createElement('img', { src, alt: String(card.value.title ?? '') }));
    }
    return element.tagName === 'img' ? replaceImage(element) : undefined;
  });
  return { pictures, missing };

  function replaceImage(image: Element): Child[] {
    const src = sourceOf(image);
    const alt = NO_ALT.test(attributeOf(image, 'alt').trim())
      ? ''
      : attributeOf(image, 'alt').replace(/\s+/g, ' ').trim();
    const title = firstAttribute(image, ['title']);
    const show = (address: string): Child[] => [
      createElement('img', { src: address, alt, ...(title === '' ? {} : { title }) }),
    ];
    if (isTracker(image)) return [];
    if (/^\/files\//.test(src)) return show(src);
    if (origin !== '' && src.startsWith(`${origin}/files/`)) return show(src.slice(origin.length));
    const add = (picture: { url: string } | { type: string; bytes: Uint8Array<ArrayBuffer> }): Child[] => {
      const token = createToken();
      pictures.push({ token, name: alt || `图片 ${pictures.length + 1}`, ...picture });
      return show(`uploading:${token}`);
    };
    const url = toWebAddress(src);
    if (url !== '') {
      const known = tokens.get(url);
      if (known !== undefined) return show(`uploading:${known}`);
      if (pictures.length >= MAX_PICTURES) return show(url);
      const shown = add({ url });
      tokens.set(url, pictures.at(-1)?.token ?? '');
      return shown;
    }
    const isFull = pictures.length >= MAX_PICTURES;
    const data = isFull ? null : decodeData(src);
    if (data !== null) return add(data);
    if (/^file:/i.test(src)) {
      const local = rtfPictures[localCount];
      localCount += 1;
      if (local !== undefined && !isFull) return add(local);
    }
    if (src !== '' && (isFull || !src.startsWith('data:'))) missing += 1;
    return [];
  }
}
