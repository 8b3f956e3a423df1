import { encode } from 'uqr';
import { toPng } from '../../../drawing/encode.ts';
import { type Brand, drawAvatar, drawLandscape, type LandscapeShapes } from '../../../drawing/landscape.ts';
import { readPhotoAsDataUrl } from '../../../drawing/photo.ts';
import { type TextBlock, type TypesetBlock, typeset } from '../../../drawing/typeset.ts';
import type { FileStore } from '../../../files/files.ts';
import type { Caller } from '../../../threads/fair-queue.ts';

export interface PosterContent {
  title: string;
  excerpt: string;
  /** Words of the essay that the poster shows instead of its title and summary; null: none. */
  quote: string | null;
  category: string;
  author: string;
  face: string;
  cover: string;
  site: string;
  /** Target of the QR code. */
  url: string;
  /** Formatted as `2026-11-15`, in China's time zone. */
  day: string;
  readMinutes: number;
}

const WIDTH = 750;
const SCENE = { width: WIDTH, height: 500 };
const MARGIN = 56;
const MEASURE = WIDTH - 2 * MARGIN;
const FACE = 76;
const PAPER = '#fdfcfa';
const INK = '#23201d';
const INK_2 = '#57514b';
const INK_3 = '#716a63';
const BRAND_INK = '#c5373a';
const LINE = '#d8d2cb';

const digits = '〇一二三四五六七八九';

/** Supports 1 to 31. */
function toChinese(number: number): string {
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  const ten = tens === 0 ? '' : `${tens === 1 ? '' : digits[tens]}十`;
  return ten + (ones === 0 ? '' : digits[ones]);
}

function toChineseDay(day: string): string {
  const [, month = 1, date = 1] = day.split('-').map(Number);
  return `${toChinese(month)}月${toChinese(date)}日`;
}

const oneLine = (text: string, size: number, weight: number, width: number): TextBlock => ({
  text,
  family: 'sans',
  weight,
  width,
  fits: [{ size, lineHeight: size * 1.5, lines: 1 }],
});

const titleBlock = (text: string): TextBlock => ({
  text,
  family: 'serif',
  weight: 700,
  width: MEASURE,
  shape: 'balanced',
  fits: [
    { size: 56, lineHeight: 76, lines: 3 },
    { size: 46, lineHeight: 64, lines: 4 },
    { size: 40, lineHeight: 56, lines: 5 },
  ],
});

const excerptBlock = (text: string): TextBlock => ({
  text,
  family: 'sans',
  weight: 400,
  width: MEASURE,
  shape: 'filled',
  fits: [{ size: 28, lineHeight: 52, lines: 4 }],
});

const quoteBlock = (text: string): TextBlock => ({
  text,
  family: 'serif',
  weight: 700,
  width: MEASURE,
  shape: 'filled',
  fits: [
    { size: 44, lineHeight: 72, lines: 5 },
    { size: 38, lineHeight: 64, lines: 7 },
    { size: 32, lineHeight: 56, lines: 9 },
    { size: 28, lineHeight: 50, lines: 12 },
  ],
});

/** Vertical text: one character per line. */
const dayBlock = (text: string): TextBlock => ({
  text,
  family: 'serif',
  weight: 500,
  width: 24,
  fits: [{ size: 24, lineHeight: 32, lines: text.length }],
});

const at = (x: number, y: number, colour: string, { svg }: TypesetBlock): string =>
  `<g transform="translate(${x} ${y})" fill="${colour}">${svg}</g>`;

/** Modules have an integer size in pixels, so that their edges stay sharp. */
function toQr(url: string): { path: string; side: number } {
  const { data, size } = encode(url, { ecc: 'M', border: 0 });
  const unit = size > 41 ? 3 : 4;
  const path = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x * unit} ${y * unit}h${unit}v${unit}h-${unit}z` : '')),
  );
  return { path: path.join(''), side: size * unit };
}

const markSvg = ({ colour, drop, layers }: Brand['mark'], x: number, y: number, side: number): string =>
  `<g transform="translate(${x} ${y}) scale(${side / 28})"><rect width="28" height="28" rx="7" fill="${colour}"/><path d="${drop}" fill="#fff"/><path d="${layers}" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></g>`;

/** Keeps text readable on any photo. */
const SHADE = `<defs><linearGradient id="shade" x2="0" y2="1"><stop stop-color="#000" stop-opacity=".5"/><stop offset="1" stop-color="#000" stop-opacity="0"/></linearGradient></defs><rect width="${WIDTH}" height="280" fill="url(#shade)"/>`;

const toFaceSvg = (
  landscapeShapes: LandscapeShapes,
  { author }: PosterContent,
  photo: string | null,
): string =>
  photo === null
    ? drawAvatar(landscapeShapes, author, FACE)
    : `<image href="${photo}" width="${FACE}" height="${FACE}"/>`;

export async function drawPoster(
  caller: Caller,
  files: FileStore,
  { landscapeShapes, mark }: Brand,
  content: PosterContent,
): Promise<Buffer> {
  const [cover, photo] = await Promise.all([
    readPhotoAsDataUrl(files, content.cover, SCENE),
    readPhotoAsDataUrl(files, content.face, { width: FACE * 2, height: FACE * 2 }),
  ]);
  const qr = toQr(content.url);
  const nameX = MARGIN + FACE + 20;
  const nameWidth = WIDTH - MARGIN - qr.side - 24 - nameX;
  const blocks = [
    oneLine(content.site, 28, 700, 420),
    dayBlock(toChineseDay(content.day)),
    oneLine(content.category, 24, 400, MEASURE),
    content.quote === null ? titleBlock(content.title) : quoteBlock(content.quote),
    content.quote === null
      ? excerptBlock(content.excerpt)
      : oneLine(`《${content.title}》`, 28, 400, MEASURE),
    oneLine(content.author, 28, 700, nameWidth),
    oneLine(`约 ${content.readMinutes} 分钟读完`, 22, 400, nameWidth),
    oneLine('长按识别，接着读全文', 22, 400, nameWidth),
  ];
  const none: TypesetBlock = { svg: '', width: 0, height: 0 };
  const [site = none, day = none, category = none, title = none, excerpt = none, ...foot] = await typeset(
    caller,
    blocks,
  );
  const [name = none, minutes = none, hint = none] = foot;

  const titleY = SCENE.height + 52 + (category.height === 0 ? 0 : category.height + 16);
  const excerptY = titleY + title.height + (title.height === 0 || excerpt.height === 0 ? 0 : 28);
  const footY = Math.ceil(excerptY + excerpt.height + 52);
  const height = footY + 36 + qr.side + 48;
  const middle = footY + 36 + qr.side / 2;
  const onScene = cover === null ? INK : '#fff';
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">`,
    `<rect width="${WIDTH}" height="${height}" fill="${PAPER}"/>`,
    cover === null
      ? drawLandscape(landscapeShapes, content.title, SCENE)
      : `<image href="${cover}" width="${SCENE.width}" height="${SCENE.height}"/>${SHADE}`,
    markSvg(mark, MARGIN, 52, 44),
    at(MARGIN + 58, 74 - site.height / 2, onScene, site),
    at(WIDTH - MARGIN - 24, 52, cover === null ? INK_2 : '#fff', day),
    at(MARGIN, SCENE.height + 52, BRAND_INK, category),
    at(MARGIN, titleY, INK, title),
    at(MARGIN, excerptY, INK_2, excerpt),
    `<rect x="${MARGIN}" y="${footY}" width="${MEASURE}" height="1" fill="${LINE}"/>`,
    `<clipPath id="face"><circle cx="${FACE / 2}" cy="${FACE / 2}" r="${FACE / 2}"/></clipPath>`,
    `<g transform="translate(${MARGIN} ${middle - FACE / 2})" clip-path="url(#face)">${toFaceSvg(landscapeShapes, content, photo)}</g>`,
    at(nameX, middle - 62, INK, name),
    at(nameX, middle - 16, INK_3, minutes),
    at(nameX, middle + 20, INK_3, hint),
    `<path transform="translate(${WIDTH - MARGIN - qr.side} ${footY + 36})" fill="${INK}" shape-rendering="crispEdges" d="${qr.path}"/>`,
    '</svg>',
  ].join('');
  return toPng(svg, { hasPhoto: cover !== null });
}
