/** What was drawn, as a file: few colours take little room, photographs have many. */
export async function toPng(svg: string, { hasPhoto = false } = {}): Promise<Buffer> {
  // A large library, needed for the first picture.
  const { default: sharp } = await import('sharp');
  const colours = hasPhoto ? { compressionLevel: 9 } : { palette: true, effort: 4 };
  return sharp(Buffer.from(svg)).png(colours).toBuffer();
}

export async function toJpeg(svg: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(svg)).flatten().jpeg({ quality: 88 }).toBuffer();
}
