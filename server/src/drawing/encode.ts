/** Encodes an SVG as PNG; a palette makes it smaller unless it contains a photo. */
export async function toPng(svg: string, { hasPhoto = false } = {}): Promise<Buffer> {
  // Loaded on first use because the library is large.
  const { default: sharp } = await import('sharp');
  const colours = hasPhoto ? { compressionLevel: 9 } : { palette: true, effort: 4 };
  return sharp(Buffer.from(svg)).png(colours).toBuffer();
}

export async function toJpeg(svg: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(svg)).flatten().jpeg({ quality: 88 }).toBuffer();
}
