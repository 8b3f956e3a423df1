import { connect, type Socket } from 'node:net';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import sharp from 'sharp';
import { send } from './raw-request.ts';

/** A client with its own account and IP address. */
export interface Attacker {
  url: string;
  token: string;
  address: string;
  essayId: string;
  categoryId: string;
  /** Small files that decode to very large images. */
  imageBombs: Buffer[];
}

export interface Attack {
  name: string;
  run: (attacker: Attacker, index: number) => Promise<unknown>;
}

/** Node allows 16 KB of headers; the rest of the request needs a little of it. */
const HEADER_LENGTH = 15_000;
const BODY_LENGTH = 60_000;
const MAX_ESSAY_LENGTH = 200_000;
const MAX_COMMENT_LENGTH = 2000;

const repeatTo = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

/** Slow to parse, large when rendered, or both. */
export const hostileTexts = [
  (length: number) => repeatTo('*a_', length),
  (length: number) => `[a](b "${repeatTo('<math', length - 10)}")`,
  (length: number) => `|a|b|\n|-|-|\n${repeatTo('|a|b|\n', length - 20)}`,
  (length: number) => repeatTo('# a\n', length),
  (length: number) => repeatTo('- a\n', length),
  (length: number) => repeatTo('$a^b$ ', length),
  (length: number) => repeatTo('[', length),
  (length: number) => repeatTo('<b><i>', length),
  (length: number) => repeatTo('> ', length),
  (length: number) => `\`\`\`ts\n${repeatTo('a<b<c', length - 10)}\n\`\`\``,
];

const textFor = (index: number, length: number): string =>
  hostileTexts[index % hostileTexts.length]?.(length) ?? '';

export async function createImageBombs(): Promise<Buffer[]> {
  const plain = { width: 7000, height: 7000, channels: 3, background: '#fff' } as const;
  const square = sharp({ create: plain });
  return [
    await square.clone().png({ compressionLevel: 9 }).toBuffer(),
    await square.clone().webp({ lossless: true }).toBuffer(),
    // Exceeds the pixel limit.
    await sharp({ create: { ...plain, width: 16_000, height: 16_000 } })
      .png({ compressionLevel: 9 })
      .toBuffer(),
  ];
}

const call = (
  { url, token, address }: Attacker,
  path: string,
  body: unknown,
  { method = 'POST', type = 'application/json' } = {},
) =>
  send(`${url}/api/${path}`, {
    method,
    headers: { token, 'x-forwarded-for': address, 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const get = ({ url, address }: Attacker, path: string, headers: Record<string, string> = {}) =>
  send(url + path, { headers: { 'x-forwarded-for': address, ...headers } });

function upload(attacker: Attacker, name: string, content: Buffer | string, path: string) {
  const boundary = 'bench-hostile';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`;
  return send(`${attacker.url}/api/${path}`, {
    method: 'POST',
    headers: {
      token: attacker.token,
      'x-forwarded-for': attacker.address,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
}

/** Opens connections that send an incomplete request and then nothing, or a byte at intervals. */
async function openSlowConnections(
  { url, address }: Attacker,
  count: number,
  start: string,
  everyMs?: number,
) {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = Array.from({ length: count }, () =>
    connect(Number(port), hostname)
      .on('error', () => {})
      .on('connect', function (this: Socket) {
        this.write(start.replace('ADDRESS', address));
      }),
  );
  const timer =
    everyMs === undefined ? undefined : setInterval(() => sockets.map((each) => each.write('a')), everyMs);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  clearInterval(timer);
  for (const socket of sockets) socket.destroy();
}

async function downloadBook(attacker: Attacker) {
  const answer = await call(attacker, 'core/essay/download', { essayId: attacker.essayId, format: 'epub' });
  const { data } = JSON.parse(answer.body.toString() || '{}') as { data?: { url?: string } };
  if (data?.url !== undefined) await get(attacker, data.url);
}

export const attacks: Attack[] = [
  { name: 'path of slashes', run: (a) => get(a, `/aa${repeatTo('/', HEADER_LENGTH)}b`) },
  { name: 'back office, path of slashes', run: (a) => get(a, `/admin/aa${repeatTo('/', HEADER_LENGTH)}b`) },
  { name: 'path of dots and escapes', run: (a) => get(a, `/${repeatTo('%2e%2e%2f', HEADER_LENGTH)}`) },
  {
    name: 'Accept-Encoding of spaces',
    run: (a) => get(a, '/home', { 'accept-encoding': `a${repeatTo(' ', HEADER_LENGTH)}a` }),
  },
  {
    name: 'If-None-Match and Range of commas',
    run: (a) =>
      get(a, '/home', {
        'if-none-match': repeatTo('"a",', HEADER_LENGTH / 2),
        range: repeatTo('1-,', HEADER_LENGTH / 2),
      }),
  },
  { name: 'wide query', run: (a) => get(a, `/home?${repeatTo('a[]=1&', HEADER_LENGTH)}`) },
  {
    name: 'pages that are in no cache',
    run: (a, index) => get(a, `/essay/detail/${String(index).padStart(32, '0')}.html`),
  },
  { name: 'deep JSON', run: (a) => call(a, 'core/account/login', repeatTo('[', BODY_LENGTH)) },
  {
    name: 'wide JSON',
    run: (a) => call(a, 'core/account/login', `{${repeatTo('"a":1,', BODY_LENGTH)}"b":1}`),
  },
  { name: 'body of a megabyte', run: (a) => call(a, 'core/account/login', repeatTo('{"a":', 1_000_000)) },
  {
    name: 'form of many fields',
    run: (a) =>
      call(a, 'core/account/login', repeatTo('a=1&', BODY_LENGTH), {
        type: 'application/x-www-form-urlencoded',
      }),
  },
  {
    name: 'sign-in',
    run: (a, index) =>
      call(a, 'core/account/login', {
        account: `nobody-${a.address}-${index}`,
        password: repeatTo('p', 100),
      }),
  },
  {
    name: 'registration',
    run: (a, index) =>
      call(a, 'core/user/', {
        account: `made-${index}-${Math.random()}`.slice(0, 30),
        password: 'correct horse 电池',
      }),
  },
  {
    name: 'previews',
    run: (a, index) => call(a, 'core/essay/preview', { content: textFor(index, MAX_ESSAY_LENGTH) }),
  },
  {
    name: 'submissions',
    run: (a, index) =>
      call(a, 'core/essay/', {
        title: '标题',
        categoryId: a.categoryId,
        content: textFor(index, MAX_ESSAY_LENGTH),
        status: ESSAY_STATUS.waiting,
      }),
  },
  {
    name: 'comments',
    run: (a, index) =>
      call(a, 'core/essay/cmt', { essayId: a.essayId, content: textFor(index, MAX_COMMENT_LENGTH) }),
  },
  {
    name: 'pictures',
    run: (a, index) =>
      upload(a, 'a.png', a.imageBombs[index % a.imageBombs.length] ?? '', 'core/minio/upload?kind=image'),
  },
  {
    name: 'attachments with odd names',
    run: (a) => upload(a, repeatTo('.', 40_000), 'x', 'core/minio/upload?kind=attachment'),
  },
  {
    name: 'search',
    run: (a, index) =>
      get(a, `/api/core/essay/?keyword=${encodeURIComponent(repeatTo(`的一是${index}`, 100))}&pageSize=50`),
  },
  {
    name: 'suggestions and tags',
    run: (a, index) => get(a, `/api/core/essay/suggest?keyword=${encodeURIComponent(`的${index}`)}`),
  },
  { name: 'OpenAPI', run: (a) => get(a, '/api/openapi.json', { 'accept-encoding': 'gzip' }) },
  { name: 'documentation', run: (a) => get(a, '/api/docs') },
  { name: 'books', run: downloadBook },
  { name: 'posters', run: (a) => get(a, `/api/core/essay/${a.essayId}/poster.png`) },
  {
    name: 'pictures of links',
    run: (a, index) => get(a, index % 2 === 0 ? `/og/${a.essayId}.png` : `/og/${index}.png`),
  },
  {
    name: 'feeds and sitemap',
    run: (a, index) => get(a, ['/feed.xml', '/feed.json', '/sitemap/essays-1.xml'][index % 3] ?? '/'),
  },
  {
    name: 'half a head on many connections',
    run: (a) => openSlowConnections(a, 50, 'GET /home HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ADDRESS\r\n'),
  },
  {
    name: 'slow bodies',
    run: (a) =>
      openSlowConnections(
        a,
        20,
        `POST /api/core/account/login HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ADDRESS\r\ncontent-type: application/json\r\ncontent-length: ${BODY_LENGTH}\r\n\r\n"`,
        200,
      ),
  },
];

/** An expensive string and a harmless one of the same length. */
export interface StringPair {
  name: string;
  hostile: (attacker: Attacker) => Promise<unknown>;
  harmless: (attacker: Attacker) => Promise<unknown>;
}

const preview = (content: string) => (a: Attacker) => call(a, 'core/essay/preview', { content });
const RATIO_TEXT = 20_000;

export const stringPairs: StringPair[] = [
  {
    name: 'path of slashes',
    hostile: (a) => get(a, `/aa${repeatTo('/', HEADER_LENGTH)}b`),
    harmless: (a) => get(a, `/aa${repeatTo('x', HEADER_LENGTH)}b`),
  },
  {
    name: 'back office, path of slashes',
    hostile: (a) => get(a, `/admin/aa${repeatTo('/', HEADER_LENGTH)}b`),
    harmless: (a) => get(a, `/admin/aa${repeatTo('x', HEADER_LENGTH)}b`),
  },
  {
    name: 'Accept-Encoding of spaces',
    hostile: (a) => get(a, '/home', { 'accept-encoding': `a${repeatTo(' ', HEADER_LENGTH)}a` }),
    harmless: (a) => get(a, '/home', { 'accept-encoding': repeatTo('a', HEADER_LENGTH + 2) }),
  },
  {
    name: 'deep JSON',
    hostile: (a) => call(a, 'core/account/login', repeatTo('[', BODY_LENGTH)),
    harmless: (a) => call(a, 'core/account/login', `"${repeatTo('a', BODY_LENGTH - 2)}"`),
  },
  {
    name: 'form of many fields',
    hostile: (a) =>
      call(a, 'core/account/login', repeatTo('a=1&', BODY_LENGTH), {
        type: 'application/x-www-form-urlencoded',
      }),
    harmless: (a) =>
      call(a, 'core/account/login', `a=${repeatTo('1', BODY_LENGTH)}`, {
        type: 'application/x-www-form-urlencoded',
      }),
  },
  {
    name: 'name of an attachment',
    hostile: (a) => upload(a, repeatTo('.', 40_000), 'x', 'core/minio/upload?kind=attachment'),
    harmless: (a) => upload(a, repeatTo('x', 40_000), 'x', 'core/minio/upload?kind=attachment'),
  },
  {
    name: 'preview, `<math` in a title of a link',
    hostile: preview(`[a](b "${repeatTo('<math', RATIO_TEXT)}")`),
    harmless: preview(`[a](b "${repeatTo('words', RATIO_TEXT)}")`),
  },
  {
    name: 'preview, marks',
    hostile: preview(repeatTo('*a_', RATIO_TEXT)),
    harmless: preview(repeatTo('字', RATIO_TEXT)),
  },
];
