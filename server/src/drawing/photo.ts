import type { FileStore } from '../files/files.ts';

/** Reads a stored picture, cropped to a size, as a data URL; null if there is none. */
export async function readPhotoAsDataUrl(
  files: FileStore,
  path: string,
  { width, height }: { width: number; height: number },
): Promise<string | null> {
  if (!path.startsWith('/files/')) return null;
  try {
    const { default: sharp } = await import('sharp');
    const photo = await sharp(await files.readBuffer(path))
      .resize({ width, height, fit: 'cover' })
      .flatten({ background: '#fff' })
      .jpeg({ quality: 90 })
      .toBuffer();
    return `data:image/jpeg;base64,${photo.toString('base64')}`;
  } catch {
    // The caller draws a placeholder instead of a missing picture.
    return null;
  }
}
