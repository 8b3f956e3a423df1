import type { Cover as CoverView } from '@mozhan/contract/covers.ts';
import { toFlag } from '@mozhan/contract/enums.ts';
import type { LargePicture } from './queries.ts';
import type { Cover } from './tables.ts';

/** Length of the longer side, in pixels; see `image-worker.ts` of uploads. */
const MIDDLE_SIDE = 1080;

const toSizes = ({ path, middlePath, width, height }: LargePicture): CoverView['imageSizes'] => [
  { path: middlePath, width: Math.round((width * MIDDLE_SIDE) / Math.max(width, height)) },
  { path, width },
];

export function toCover(cover: Cover, pictures: LargePicture[]): CoverView {
  const picture = pictures.find(({ path }) => path === cover.image);
  return {
    id: cover.id,
    kind: cover.kind,
    title: cover.title,
    summary: cover.summary,
    image: cover.image,
    imageSizes: picture === undefined ? [] : toSizes(picture),
    link: cover.link,
    sort: cover.sort,
    enabled: toFlag(cover.enabled),
    startsAt: cover.startsAt?.toISOString() ?? null,
    endsAt: cover.endsAt?.toISOString() ?? null,
  };
}
