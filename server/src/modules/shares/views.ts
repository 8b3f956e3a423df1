import { renderSVG } from 'uqr';
import type { EssayCard } from '#contract/essays.ts';
import type { Share } from '#contract/shares.ts';
import { addressOf } from './rules.ts';
import type { ShareRow } from './tables.ts';

export function toMadeShare({ code, essayId }: ShareRow, siteUrl: string) {
  const url = addressOf(siteUrl, essayId, code);
  return { code, url, qr: renderSVG(url) };
}

export const toShare = (
  { share, essay }: { share: ShareRow; essay: EssayCard | null },
  siteUrl: string,
): Share => ({
  code: share.code,
  url: addressOf(siteUrl, share.essayId, share.code),
  channel: share.channel,
  essay,
  readCount: share.readCount,
  createdAt: share.createdAt.toISOString(),
});
