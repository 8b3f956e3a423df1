import type { EssayCard } from '@mozhan/contract/essays.ts';
import type { Share } from '@mozhan/contract/shares.ts';
import { renderSVG } from 'uqr';
import type { EssayRow } from '../essays/tables.ts';
import { shareUrlOf } from './rules.ts';
import type { ShareRow } from './tables.ts';

export function toCreatedShare(
  { share: { code }, essay }: { share: ShareRow; essay: Pick<EssayRow, 'id' | 'slug'> },
  base: string,
) {
  const url = shareUrlOf(base, essay, code);
  return { code, url, qr: renderSVG(url) };
}

export const toShare = (
  { share, essay }: { share: ShareRow; essay: EssayCard | null },
  base: string,
): Share => ({
  code: share.code,
  url: shareUrlOf(base, essay ?? { id: share.essayId, slug: null }, share.code),
  channel: share.channel,
  essay,
  readCount: share.readCount,
  createdAt: share.createdAt.toISOString(),
});
