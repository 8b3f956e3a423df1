interface Size {
  width: number;
  height: number;
}

const KEY = 'editor-picture-sizes';
const MAX_SIZES = 300;
/** Of the height of the window. */
const MAX_HEIGHT = 0.6;

let sizes: Map<string, Size> | undefined;

function readSizes(): Map<string, Size> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? '[]'));
  } catch {
    return new Map();
  }
}

/** The size of a picture that this tab has shown, so that its space is reserved when it comes into view again. */
export function findSize(url: string): Size | undefined {
  sizes ??= readSizes();
  return sizes.get(url);
}

export function rememberSize(
  url: string,
  { naturalWidth: width, naturalHeight: height }: HTMLImageElement,
): Size {
  sizes ??= readSizes();
  sizes.delete(url);
  sizes.set(url, { width, height });
  const [oldest] = sizes.keys();
  if (sizes.size > MAX_SIZES && oldest !== undefined) sizes.delete(oldest);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...sizes]));
  } catch {
    // Without storage the sizes are forgotten at a reload.
  }
  return { width, height };
}

/** Sets attributes, from which the browser knows the shape of the picture before it is loaded. */
export function setSize(image: HTMLImageElement, { width, height }: Size): void {
  const scale = Math.min(1, (MAX_HEIGHT * innerHeight) / height);
  image.width = Math.round(width * scale);
  image.height = Math.round(height * scale);
}
