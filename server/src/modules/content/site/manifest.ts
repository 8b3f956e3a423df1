import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../../ctx.ts';
import type { Mark } from '../../../drawing/landscape.ts';
import { systemCtx } from '../../../jobs.ts';
import { getSiteSettings } from '../../platform/settings/index.ts';

/** Equals `--bg` of the light theme; the page replaces it after loading. */
const PAPER = '#fcfbf9';
const DAY = 'public, max-age=86400';

const PNG_SIDES = { 'icon-192.png': 192, 'icon-512.png': 512, 'apple-touch-icon.png': 180 };

/** Maskable icon: fills the square and keeps the drawing in the safe zone, because systems crop it. */
const toSquareSvg = ({ box, colour, drop, layers }: Mark, side: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="${box}"><rect width="28" height="28" fill="${colour}"/><g transform="translate(2.8 2.8) scale(0.8)"><path d="${drop}" fill="#fff"/><path d="${layers}" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></g></svg>`;

async function drawPng(svg: string, side: number): Promise<Buffer> {
  // Loaded on demand, because the library is large.
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(svg), { density: 600 }).resize(side, side).png({ compressionLevel: 9 }).toBuffer();
}

const ICO_SIDES = [16, 32];
const ICO_HEADER = 6;
const ICO_ENTRY = 16;

/** The ICO container may hold PNG files. */
async function drawIco(svg: string): Promise<Buffer> {
  const pictures = await Promise.all(ICO_SIDES.map((side) => drawPng(svg, side)));
  const head = Buffer.alloc(ICO_HEADER + ICO_ENTRY * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, picture] of pictures.entries()) {
    const side = ICO_SIDES[index] ?? 0;
    const entry = ICO_HEADER + ICO_ENTRY * index;
    head.writeUInt8(side, entry);
    head.writeUInt8(side, entry + 1);
    // One colour plane, 32 bits per pixel.
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(picture.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += picture.length;
  }
  return Buffer.concat([head, ...pictures]);
}

/** Serves the web app manifest, if enabled in the settings, and the icons. */
export function serveManifest(app: FastifyInstance, services: Services, mark: Mark): void {
  const { basePath } = services.config;
  app.get(`${basePath}/manifest.webmanifest`, async (_request, reply) => {
    const settings = await getSiteSettings(systemCtx(services));
    if (!settings.pwa) throw new CallError('NOT_FOUND');
    return reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send({
        id: `${basePath}/`,
        name: settings.title,
        short_name: settings.title,
        description: settings.tagline,
        lang: 'zh-CN',
        start_url: `${basePath}/home`,
        scope: `${basePath}/`,
        display: 'standalone',
        background_color: PAPER,
        theme_color: PAPER,
        icons: [
          { src: `${basePath}/icon.svg`, sizes: 'any', type: 'image/svg+xml' },
          { src: `${basePath}/icon-192.png`, sizes: '192x192', type: 'image/png', purpose: 'maskable' },
          { src: `${basePath}/icon-512.png`, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
      });
  });

  app.get(`${basePath}/icon.svg`, async (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', DAY).send(mark.svg),
  );
  function icon(name: string, type: string, draw: () => Promise<Buffer>): void {
    let drawn: Buffer | undefined;
    app.get(`${basePath}/${name}`, async (_request, reply) => {
      drawn ??= await draw();
      return reply.type(type).header('cache-control', DAY).send(drawn);
    });
  }
  for (const [name, side] of Object.entries(PNG_SIDES))
    icon(name, 'image/png', () => drawPng(toSquareSvg(mark, side), side));
  // Browsers and feed readers request it even if no page links to it.
  icon('favicon.ico', 'image/x-icon', () => drawIco(mark.svg));
}
