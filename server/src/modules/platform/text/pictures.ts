import {
  type Child,
  createElement,
  createText,
  type Element,
  elementsOf,
  isBlank,
  isElement,
  type Root,
  replaceElements,
} from './tree.ts';

export interface Picture {
  width: number;
  height: number;
  /** URL of the thumbnail; the URL of the picture itself if that is small. */
  thumb: string;
  /** URL of the medium size; null if the picture is not larger. */
  middle: string | null;
}

/** Length of the longer side, in pixels. */
const THUMB_SIDE = 320;
const MIDDLE_SIDE = 1080;
/** The width of the text column, or of a phone's screen without margins. */
const sizesFor = (percent: number) =>
  `(min-width: 768px) ${Math.round(7.14 * percent)}px, calc(100vw - 32px)`;
/** A picture in these blocks is above the fold and is not loaded lazily. */
const EAGER_BLOCKS = 2;

/** Whether the URL leads to another host; false for other protocols and invalid URLs. */
export function isExternalUrl(address: unknown): boolean {
  const here = 'http://here.invalid';
  const url = URL.parse(String(address), here);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== here;
}

export function makeOwnUrlsRelative(tree: Root, siteUrl: string): void {
  for (const { properties } of elementsOf(tree)) {
    for (const name of ['href', 'src']) {
      const address = String(properties[name] ?? '');
      const rest = address.startsWith(siteUrl) ? address.slice(siteUrl.length) : null;
      // `//…` would be a URL of another host.
      if (rest === '' || (rest !== null && /^\/(?![/\\])/.test(rest))) properties[name] = rest || '/';
    }
  }
}

/** The content security policy allows pictures of this site only, so others become links. */
export function replaceExternalPictures(parent: Root | Element, isInLink = false): void {
  for (const [i, child] of parent.children.entries()) {
    if (child.type !== 'element') continue;
    const { src, alt } = child.properties;
    if (child.tagName === 'img' && isExternalUrl(src)) {
      const label = createText(String(alt || src));
      parent.children[i] = isInLink ? label : createElement('a', { href: src }, [label]);
    } else {
      replaceExternalPictures(child, isInLink || child.tagName === 'a');
    }
  }
}

/** `width="50%"` in HTML that a writer wrote; such an attribute is not valid, so that it becomes a class. */
function takePercent(image: Element): number | null {
  const [, percent] = /^(\d+)%$/.exec(String(image.properties.width ?? '')) ?? [];
  if (percent === undefined) return null;
  delete image.properties.width;
  delete image.properties.height;
  return Number(percent);
}

/** Known sizes prevent layout shift while pictures load. */
function addSizes(image: Element, pictures: Record<string, Picture>): void {
  const src = String(image.properties.src ?? '');
  const picture = Object.hasOwn(pictures, src) ? pictures[src] : undefined;
  const percent = takePercent(image);
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
      image.properties.sizes = sizesFor(percent ?? 100);
    }
  }
  if (percent !== null) image.properties.className = [`w-${percent}`];
  image.properties.loading = 'lazy';
  image.properties.decoding = 'async';
}

/** If a paragraph contains only a picture, returns it with the node to display: the picture or its link. */
function findOnlyImage(paragraph: Element): { image: Element; displayed: Element } | undefined {
  const [displayed, ...others] = paragraph.children.filter((child) => !isBlank(child));
  if (others.length > 0 || !isElement(displayed, 'img', 'a')) return undefined;
  if (displayed.tagName === 'img') return { image: displayed, displayed };
  const [image, ...more] = displayed.children;
  return more.length === 0 && isElement(image, 'img') ? { image, displayed } : undefined;
}

function toFigure(paragraph: Element): Child[] | undefined {
  const onlyImage = paragraph.tagName === 'p' ? findOnlyImage(paragraph) : undefined;
  if (!onlyImage) return undefined;
  const { title, className, ...properties } = onlyImage.image.properties;
  onlyImage.image.properties = properties;
  const classes = Array.isArray(className) ? className : [];
  const caption = title ? [createElement('figcaption', {}, [createText(String(title))])] : [];
  return [createElement('figure', { className: ['picture', ...classes] }, [onlyImage.displayed, ...caption])];
}

function markZoomable(parent: Root | Element): void {
  for (const child of parent.children) {
    if (!isElement(child) || child.tagName === 'a') continue;
    if (child.tagName === 'img') child.properties.dataZoom = true;
    else markZoomable(child);
  }
}

/** Pictures that are alone in a paragraph become figures with their title as caption. */
export function renderPictures(tree: Root, pictures: Record<string, Picture>): void {
  for (const node of elementsOf(tree)) if (node.tagName === 'img') addSizes(node, pictures);
  markZoomable(tree);
  const [first] = tree.children
    .filter((child): child is Element => isElement(child))
    .slice(0, EAGER_BLOCKS)
    .flatMap((block) => [block, ...elementsOf(block)])
    .filter((node) => node.tagName === 'img');
  if (first) delete first.properties.loading;
  wrapLonePictures(tree);
  replaceElements(tree, toFigure);
}

/** In Markdown, an `<img>` tag on a line of its own is not in a paragraph. */
function wrapLonePictures(tree: Root): void {
  tree.children = tree.children.map((child) =>
    isElement(child, 'img') ? createElement('p', {}, [child]) : child,
  );
}
