import type { ImageJob } from '../../../platform/uploads/index.ts';

/** Longer than for uploads, because no user waits for an import. */
const PICTURE_TIMEOUT_MS = 60_000;
/** Drawing an ordinary SVG takes less than a second, one that is made to take long holds up the users' uploads. */
const SVG_TIMEOUT_MS = 5000;

const isSvg = (content: Buffer): boolean =>
  /^\s*(?:<\?xml|<!doctype\s+svg|<!--|<svg\b)/i.test(
    content
      .subarray(0, 256)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
  );

/** Imports take SVG too, which becomes a picture without scripts and references. */
export function toImageJob(content: Buffer): { job: ImageJob; timeoutMs: number } {
  const allowsSvg = isSvg(content);
  return {
    job: { content, isGenerated: false, allowsSvg },
    timeoutMs: allowsSvg ? SVG_TIMEOUT_MS : PICTURE_TIMEOUT_MS,
  };
}
