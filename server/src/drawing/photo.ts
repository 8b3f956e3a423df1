import type { Files } from '../files/files.ts';

/** A stored picture, cut to a size, as an address to be drawn with; null when there is none. */
export async function findPhoto(
  files: Files,
  path: string,
  { width, height }: { width: number; height: number },
): Promise<string | null> {
  if (!path.startsWith('/files/')) return null;
  try {
    const { default: sharp } = await import('sharp');
    const photo = await sharp(await files.readWhole(path))
      .resize({ width, height, fit: 'cover' })
      .flatten({ background: '#fff' })
      .jpeg({ quality: 90 })
      .toBuffer();
    return `data:image/jpeg;base64,${photo.toString('base64')}`;
  } catch {
    // Gone: what is drawn instead is as good.
    return null;
  }
}
