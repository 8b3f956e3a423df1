const hasBytes = (bytes: Uint8Array, at: number, text: string): boolean =>
  [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

/** Whether a GIF, WebP or PNG has several frames, of which the server keeps only the first. */
export function isAnimated(bytes: Uint8Array): boolean {
  if (hasBytes(bytes, 0, 'RIFF') && hasBytes(bytes, 8, 'WEBPVP8X')) return ((bytes[20] ?? 0) & 2) !== 0;
  if (hasBytes(bytes, 1, 'PNG')) {
    const head = bytes.subarray(0, 1024);
    return head.some((_, at) => hasBytes(head, at, 'acTL'));
  }
  if (!hasBytes(bytes, 0, 'GIF8')) return false;
  let frames = 0;
  // A frame begins with a graphic control extension.
  for (let at = 10; at < bytes.length - 3 && frames < 2; at += 1)
    if (bytes[at] === 0x21 && bytes[at + 1] === 0xf9 && bytes[at + 2] === 4) frames += 1;
  return frames > 1;
}
