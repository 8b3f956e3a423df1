import { toPng } from '../../../drawing/encode.ts';
import { drawLandscape, type LandscapeShapes } from '../../../drawing/landscape.ts';
import { type TypesetBlock, typeset } from '../../../drawing/typeset.ts';

import type { Caller } from '../../../threads/fair-queue.ts';

/** The size that link previews expect. */
const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 84;
const NONE: TypesetBlock = { svg: '', width: 0, height: 0 };

/** The site name is drawn above the title. */
export interface OgImageText {
  title: string;
  site: string;
}

/** Draws the landscape derived from the title, lowered to leave room for the text. */
export async function drawOgImage(
  caller: Caller,
  landscapeShapes: LandscapeShapes,
  { title, site }: OgImageText,
): Promise<Buffer> {
  const [titleBlock = NONE, siteBlock = NONE] = await typeset(caller, [
    {
      text: title,
      family: 'serif',
      weight: 700,
      width: 720,
      shape: 'balanced',
      fits: [
        { size: 72, lineHeight: 100, lines: 3 },
        { size: 58, lineHeight: 80, lines: 4 },
      ],
    },
    {
      text: site,
      family: 'sans',
      weight: 700,
      width: 720,
      fits: [{ size: 30, lineHeight: 44, lines: 1 }],
    },
  ]);
  return toPng(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
      drawLandscape(landscapeShapes, title, { width: WIDTH, height: HEIGHT, drop: 70 }),
      `<g transform="translate(${MARGIN} 76)" fill="#c5373a">${siteBlock.svg}</g>`,
      `<g transform="translate(${MARGIN} 142)" fill="#23201d">${titleBlock.svg}</g>`,
      '</svg>',
    ].join(''),
  );
}
