import { toJpeg } from '../../../drawing/encode.ts';
import { drawLandscape, type LandscapeShapes } from '../../../drawing/landscape.ts';
import { readPhotoAsDataUrl } from '../../../drawing/photo.ts';
import { type TypesetBlock, typeset } from '../../../drawing/typeset.ts';
import type { FileStore } from '../../../files/files.ts';
import type { Caller } from '../../../threads/fair-queue.ts';

const WIDTH = 1200;
const HEIGHT = 1600;
const SCENE = { width: WIDTH, height: 840 };
const MARGIN = 104;
const MEASURE = WIDTH - 2 * MARGIN;
const NONE: TypesetBlock = { svg: '', width: 0, height: 0 };

interface CoverContent {
  title: string;
  author: string;
  site: string;
  /** Path of a stored picture; a landscape is drawn if it is empty. */
  cover: string;
}

const at = (y: number, colour: string, { svg }: TypesetBlock): string =>
  `<g transform="translate(${MARGIN} ${y})" fill="${colour}">${svg}</g>`;

export async function drawCover(
  caller: Caller,
  files: FileStore,
  landscapeShapes: LandscapeShapes,
  content: CoverContent,
): Promise<Buffer> {
  const line = (text: string, size: number) =>
    ({
      text,
      family: 'sans',
      weight: 400,
      width: MEASURE,
      fits: [{ size, lineHeight: size * 1.5, lines: 1 }],
    }) as const;
  const [title = NONE, author = NONE, site = NONE] = await typeset(caller, [
    {
      text: content.title,
      family: 'serif',
      weight: 700,
      width: MEASURE,
      shape: 'balanced',
      fits: [
        { size: 104, lineHeight: 140, lines: 3 },
        { size: 84, lineHeight: 112, lines: 4 },
        { size: 68, lineHeight: 92, lines: 5 },
      ],
    },
    line(content.author, 42),
    line(content.site, 34),
  ]);
  const photo = await readPhotoAsDataUrl(files, content.cover, SCENE);
  const scene =
    photo === null
      ? drawLandscape(landscapeShapes, content.title, SCENE)
      : `<image href="${photo}" width="${SCENE.width}" height="${SCENE.height}"/>`;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fdfcfa"/>`,
    `<g transform="translate(0 ${HEIGHT - SCENE.height})">${scene}</g>`,
    at(96, '#c5373a', site),
    at(188, '#23201d', title),
    at(188 + title.height + 28, '#57514b', author),
    '</svg>',
  ].join('');
  return toJpeg(svg);
}
