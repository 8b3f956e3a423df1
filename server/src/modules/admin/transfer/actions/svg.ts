export const isSvg = (content: Buffer): boolean =>
  /^\s*(?:<\?xml|<!doctype\s+svg|<!--|<svg\b)/i.test(
    content
      .subarray(0, 256)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
  );
