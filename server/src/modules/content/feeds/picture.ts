import { toPng } from '../../../drawing/encode.ts';
import { type Ink, toLandscape } from '../../../drawing/landscape.ts';
import { type SetBlock, typeset } from '../../../drawing/typeset.ts';

import type { Caller } from '../../../threads/fair-queue.ts';

/** What services that show links ask for. */
const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 84;
const NONE: SetBlock = { svg: '', width: 0, height: 0 };

/** What a picture says: a title, and above it whose it is. */
export interface PictureText {
  title: string;
  site: string;
}

/** The landscape of a title, which falls away where the words stand. */
export async function drawPicture(caller: Caller, ink: Ink, { title, site }: PictureText): Promise<Buffer> {
  const [words = NONE, name = NONE] = await typeset(caller, [
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
      toLandscape(ink, title, { width: WIDTH, height: HEIGHT, drop: 70 }),
      `<g transform="translate(${MARGIN} 76)" fill="#c5373a">${name.svg}</g>`,
      `<g transform="translate(${MARGIN} 142)" fill="#23201d">${words.svg}</g>`,
      '</svg>',
    ].join(''),
  );
}
