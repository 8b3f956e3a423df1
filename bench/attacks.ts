import { connect, type Socket } from 'node:net';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import sharp from 'sharp';
import { send } from './send.ts';

/** Somebody with an account and an address of their own. */
export interface Attacker {
  url: string;
  token: string;
  address: string;
  essayId: string;
  categoryId: string;
  /** Small files that unpack to large pictures. */
  bombs: Buffer[];
}

export interface Attack {
  name: string;
  run: (attacker: Attacker, turn: number) => Promise<unknown>;
}

/** Node takes 16 KB of headers, of which the rest of a request needs a little. */
const HEADER = 15_000;
const BODY = 60_000;
const LONGEST_ESSAY = 200_000;
const LONGEST_COMMENT = 2000;

const fill = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

/** Long to parse, large when laid out, or both. */
export const texts = [
  (length: number) => fill('*a_', length),
  (length: number) => `[a](b "${fill('<math', length - 10)}")`,
  (length: number) => `|a|b|\n|-|-|\n${fill('|a|b|\n', length - 20)}`,
  (length: number) => fill('# a\n', length),
  (length: number) => fill('- a\n', length),
  (length: number) => fill('$a^b$ ', length),
  (length: number) => fill('[', length),
  (length: number) => fill('<b><i>', length),
  (length: number) => fill('> ', length),
  (length: number) => `\`\`\`ts\n${fill('a<b<c', length - 10)}\n\`\`\``,
];

const textFor = (turn: number, length: number): string => texts[turn % texts.length]?.(length) ?? '';

export async function makeBombs(): Promise<Buffer[]> {
  const plain = { width: 7000, height: 7000, channels: 3, background: '#fff' } as const;
  const square = sharp({ create: plain });
  return [
    await square.clone().png({ compressionLevel: 9 }).toBuffer(),
    await square.clone().webp({ lossless: true }).toBuffer(),
    // More pixels than are allowed.
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

/** So many connections that each say a little and then nothing, or a byte now and then. */
async function holdOpen({ url, address }: Attacker, count: number, start: string, everyMs?: number) {
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

async function openBook(attacker: Attacker) {
  const answer = await call(attacker, 'core/essay/download', { essayId: attacker.essayId, format: 'epub' });
  const { data } = JSON.parse(answer.body.toString() || '{}') as { data?: { url?: string } };
  if (data?.url !== undefined) await get(attacker, data.url);
}

export const attacks: Attack[] = [
  { name: 'path of slashes', run: (a) => get(a, `/aa${fill('/', HEADER)}b`) },
  { name: 'back office, path of slashes', run: (a) => get(a, `/admin/aa${fill('/', HEADER)}b`) },
  { name: 'path of dots and escapes', run: (a) => get(a, `/${fill('%2e%2e%2f', HEADER)}`) },
  {
    name: 'Accept-Encoding of spaces',
    run: (a) => get(a, '/home', { 'accept-encoding': `a${fill(' ', HEADER)}a` }),
  },
  {
    name: 'If-None-Match and Range of commas',
    run: (a) =>
      get(a, '/home', { 'if-none-match': fill('"a",', HEADER / 2), range: fill('1-,', HEADER / 2) }),
  },
  { name: 'wide query', run: (a) => get(a, `/home?${fill('a[]=1&', HEADER)}`) },
  {
    name: 'pages that are in no cache',
    run: (a, turn) => get(a, `/essay/detail/${String(turn).padStart(32, '0')}.html`),
  },
  { name: 'deep JSON', run: (a) => call(a, 'core/account/login', fill('[', BODY)) },
  { name: 'wide JSON', run: (a) => call(a, 'core/account/login', `{${fill('"a":1,', BODY)}"b":1}`) },
  { name: 'body of a megabyte', run: (a) => call(a, 'core/account/login', fill('{"a":', 1_000_000)) },
  {
    name: 'form of many fields',
    run: (a) =>
      call(a, 'core/account/login', fill('a=1&', BODY), { type: 'application/x-www-form-urlencoded' }),
  },
  {
    name: 'sign-in',
    run: (a, turn) =>
      call(a, 'core/account/login', { account: `nobody-${a.address}-${turn}`, password: fill('p', 100) }),
  },
  {
    name: 'registration',
    run: (a, turn) =>
      call(a, 'core/user/', {
        account: `made-${turn}-${Math.random()}`.slice(0, 30),
        password: 'correct horse 电池',
      }),
  },
  {
    name: 'previews',
    run: (a, turn) => call(a, 'core/essay/preview', { content: textFor(turn, LONGEST_ESSAY) }),
  },
  {
    name: 'submissions',
    run: (a, turn) =>
      call(a, 'core/essay/', {
        title: '标题',
        categoryId: a.categoryId,
        content: textFor(turn, LONGEST_ESSAY),
        status: ESSAY_STATUS.waiting,
      }),
  },
  {
    name: 'comments',
    run: (a, turn) =>
      call(a, 'core/essay/cmt', { essayId: a.essayId, content: textFor(turn, LONGEST_COMMENT) }),
  },
  {
    name: 'pictures',
    run: (a, turn) =>
      upload(a, 'a.png', a.bombs[turn % a.bombs.length] ?? '', 'core/minio/upload?kind=image'),
  },
  {
    name: 'attachments with odd names',
    run: (a) => upload(a, fill('.', 40_000), 'x', 'core/minio/upload?kind=attachment'),
  },
  {
    name: 'search',
    run: (a, turn) =>
      get(a, `/api/core/essay/?keyword=${encodeURIComponent(fill(`的一是${turn}`, 100))}&pageSize=50`),
  },
  {
    name: 'suggestions and tags',
    run: (a, turn) => get(a, `/api/core/essay/suggest?keyword=${encodeURIComponent(`的${turn}`)}`),
  },
  { name: 'OpenAPI', run: (a) => get(a, '/api/openapi.json', { 'accept-encoding': 'gzip' }) },
  { name: 'documentation', run: (a) => get(a, '/api/docs') },
  { name: 'books', run: openBook },
  { name: 'posters', run: (a) => get(a, `/api/core/essay/${a.essayId}/poster.png`) },
  {
    name: 'pictures of links',
    run: (a, turn) => get(a, turn % 2 === 0 ? `/og/${a.essayId}.png` : `/og/${turn}.png`),
  },
  {
    name: 'feeds and sitemap',
    run: (a, turn) => get(a, ['/feed.xml', '/feed.json', '/sitemap/essays-1.xml'][turn % 3] ?? '/'),
  },
  {
    name: 'half a head on many connections',
    run: (a) => holdOpen(a, 50, 'GET /home HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ADDRESS\r\n'),
  },
  {
    name: 'slow bodies',
    run: (a) =>
      holdOpen(
        a,
        20,
        `POST /api/core/account/login HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ADDRESS\r\ncontent-type: application/json\r\ncontent-length: ${BODY}\r\n\r\n"`,
        200,
      ),
  },
];

/** A string that was made to cost much, and one of the same length that was not. */
export interface Pair {
  name: string;
  hostile: (attacker: Attacker) => Promise<unknown>;
  harmless: (attacker: Attacker) => Promise<unknown>;
}

const preview = (content: string) => (a: Attacker) => call(a, 'core/essay/preview', { content });
const RATIO_TEXT = 20_000;

export const pairs: Pair[] = [
  {
    name: 'path of slashes',
    hostile: (a) => get(a, `/aa${fill('/', HEADER)}b`),
    harmless: (a) => get(a, `/aa${fill('x', HEADER)}b`),
  },
  {
    name: 'back office, path of slashes',
    hostile: (a) => get(a, `/admin/aa${fill('/', HEADER)}b`),
    harmless: (a) => get(a, `/admin/aa${fill('x', HEADER)}b`),
  },
  {
    name: 'Accept-Encoding of spaces',
    hostile: (a) => get(a, '/home', { 'accept-encoding': `a${fill(' ', HEADER)}a` }),
    harmless: (a) => get(a, '/home', { 'accept-encoding': fill('a', HEADER + 2) }),
  },
  {
    name: 'deep JSON',
    hostile: (a) => call(a, 'core/account/login', fill('[', BODY)),
    harmless: (a) => call(a, 'core/account/login', `"${fill('a', BODY - 2)}"`),
  },
  {
    name: 'form of many fields',
    hostile: (a) =>
      call(a, 'core/account/login', fill('a=1&', BODY), { type: 'application/x-www-form-urlencoded' }),
    harmless: (a) =>
      call(a, 'core/account/login', `a=${fill('1', BODY)}`, { type: 'application/x-www-form-urlencoded' }),
  },
  {
    name: 'name of an attachment',
    hostile: (a) => upload(a, fill('.', 40_000), 'x', 'core/minio/upload?kind=attachment'),
    harmless: (a) => upload(a, fill('x', 40_000), 'x', 'core/minio/upload?kind=attachment'),
  },
  {
    name: 'preview, `<math` in a title of a link',
    hostile: preview(`[a](b "${fill('<math', RATIO_TEXT)}")`),
    harmless: preview(`[a](b "${fill('words', RATIO_TEXT)}")`),
  },
  {
    name: 'preview, marks',
    hostile: preview(fill('*a_', RATIO_TEXT)),
    harmless: preview(fill('字', RATIO_TEXT)),
  },
];
