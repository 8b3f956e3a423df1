import type { EssayCard } from '@mozhan/contract/essays.ts';
import type { Share } from '@mozhan/contract/shares.ts';
import { renderSVG } from 'uqr';
import { shareUrlOf } from './rules.ts';
import type { ShareRow } from './tables.ts';

export function toCreatedShare({ code, essayId }: ShareRow, base: string) {
  const url = shareUrlOf(base, essayId, code);
  return { code, url, qr: renderSVG(url) };
}

export const toShare = (
  { share, essay }: { share: ShareRow; essay: EssayCard | null },
  base: string,
): Share => ({
  code: share.code,
  url: shareUrlOf(base, share.essayId, share.code),
  channel: share.channel,
  essay,
  readCount: share.readCount,
  createdAt: share.createdAt.toISOString(),
});
