import {
  type Child,
  type Element,
  element,
  elementsOf,
  isBlank,
  isElement,
  type Root,
  replaceElements,
  text,
} from './tree.ts';

export interface Picture {
  width: number;
  height: number;
  /** The address of a small one; it may be the same. */
  thumb: string;
  /** Of one between the two; none where the picture is no larger. */
  middle: string | null;
}

/** The boxes that smaller pictures are made to fit. */
const THUMB_SIDE = 320;
const MIDDLE_SIDE = 1080;
/** The measure of the text, and a phone's screen without its margins. */
const SIZES = '(min-width: 768px) 714px, calc(100vw - 32px)';
/** A picture that far up is on the first screen. */
const FIRST_BLOCKS = 2;

/** On another host. What is no web address, or none at all, is not. */
export function isForeign(address: unknown): boolean {
  const here = 'http://here.invalid';
  const url = URL.parse(String(address), here);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== here;
}

/** Addresses of this site that were written with its host are those without it. */
export function shortenOwnAddresses(tree: Root, siteUrl: string): void {
  for (const { properties } of elementsOf(tree)) {
    for (const name of ['href', 'src']) {
      const address = String(properties[name] ?? '');
      const rest = address.startsWith(siteUrl) ? address.slice(siteUrl.length) : null;
      // `//…` would be another host.
      if (rest === '' || (rest !== null && /^\/(?![/\\])/.test(rest))) properties[name] = rest || '/';
    }
  }
}

/** The content policy lets pictures come from this site only: any other becomes a link to it. */
export function linkForeignPictures(parent: Root | Element, isInLink = false): void {
  for (const [i, child] of parent.children.entries()) {
    if (child.type !== 'element') continue;
    const { src, alt } = child.properties;
    if (child.tagName === 'img' && isForeign(src)) {
      const label = text(String(alt || src));
      parent.children[i] = isInLink ? label : element('a', { href: src }, [label]);
    } else {
      linkForeignPictures(child, isInLink || child.tagName === 'a');
    }
  }
}

/** Sizes keep the page from jumping when a picture comes in. */
function addSizes(image: Element, pictures: Record<string, Picture>): void {
  const src = String(image.properties.src ?? '');
  const picture = Object.hasOwn(pictures, src) ? pictures[src] : undefined;
  const { title, alt = '', width, height } = image.properties;
  image.properties = { src, alt, ...(title ? { title } : {}), ...(width ? { width } : {}) };
  if (height) image.properties.height = height;
  if (picture) {
    if (!width && !height) {
      image.properties.width = picture.width;
      image.properties.height = picture.height;
    }
    const longest = Math.max(picture.width, picture.height);
    const widthIn = (side: number) => Math.round((picture.width * side) / longest);
    if (picture.thumb !== src && longest > THUMB_SIDE) {
      const middle = picture.middle === null ? '' : `${picture.middle} ${widthIn(MIDDLE_SIDE)}w, `;
      image.properties.srcSet = `${picture.thumb} ${widthIn(THUMB_SIDE)}w, ${middle}${src} ${picture.width}w`;
      image.properties.sizes = SIZES;
    }
  }
  image.properties.loading = 'lazy';
  image.properties.decoding = 'async';
}

/** The picture that is all of a paragraph, and what stands around it: itself, or its link. */
function soleImage(paragraph: Element): { image: Element; shown: Element } | undefined {
  const [shown, ...others] = paragraph.children.filter((child) => !isBlank(child));
  if (others.length > 0 || !isElement(shown, 'img', 'a')) return undefined;
  if (shown.tagName === 'img') return { image: shown, shown };
  const [image, ...more] = shown.children;
  return more.length === 0 && isElement(image, 'img') ? { image, shown } : undefined;
}

function toFigure(paragraph: Element): Child[] | undefined {
  const sole = paragraph.tagName === 'p' ? soleImage(paragraph) : undefined;
  if (!sole) return undefined;
  const { title, ...properties } = sole.image.properties;
  sole.image.properties = properties;
  const caption = title ? [element('figcaption', {}, [text(String(title))])] : [];
  return [element('figure', { className: ['picture'] }, [sole.shown, ...caption])];
}

function markZoomable(parent: Root | Element): void {
  for (const child of parent.children) {
    if (!isElement(child) || child.tagName === 'a') continue;
    if (child.tagName === 'img') child.properties.dataZoom = true;
    else markZoomable(child);
  }
}

/** Standing alone they are figures, with their title for a caption. */
export function layOutPictures(tree: Root, pictures: Record<string, Picture>): void {
  for (const node of elementsOf(tree)) if (node.tagName === 'img') addSizes(node, pictures);
  markZoomable(tree);
  const [first] = tree.children
    .filter((child): child is Element => isElement(child))
    .slice(0, FIRST_BLOCKS)
    .flatMap((block) => [block, ...elementsOf(block)])
    .filter((node) => node.tagName === 'img');
  if (first) delete first.properties.loading;
  replaceElements(tree, toFigure);
}
