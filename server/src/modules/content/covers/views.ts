import type { Cover as CoverView } from '@mozhan/contract/covers.ts';
import { toFlag } from '@mozhan/contract/enums.ts';
import type { Cover } from './tables.ts';

export function toCover(cover: Cover): CoverView {
  return {
    id: cover.id,
    kind: cover.kind,
    title: cover.title,
    summary: cover.summary,
    image: cover.image,
    link: cover.link,
    sort: cover.sort,
    enabled: toFlag(cover.enabled),
    startsAt: cover.startsAt?.toISOString() ?? null,
    endsAt: cover.endsAt?.toISOString() ?? null,
  };
}
