import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { createPublicLookup, isPrivateHost } from './public-address.ts';

const A = 1;
const AAAA = 28;
const NAME_ERROR = 3;
const SERVER_FAILURE = 2;

type Answer = { a?: string[]; aaaa?: string[]; code?: number };

/** What the name server says; it does not answer questions about other names. */
const answers: Record<string, Answer> = {
  'public.example': { a: ['93.184.216.34'], aaaa: ['2606:2800:220:1:248:1893:25c8:1946'] },
  'four.example': { a: ['93.184.216.34'] },
  'inside.example': { a: ['10.0.0.7'] },
  'mixed.example': { a: ['93.184.216.34'], aaaa: ['::1'] },
  'unknown.example': { code: NAME_ERROR },
  'empty.example': {},
  'failing.example': { code: SERVER_FAILURE },
};

const nameServer = createSocket('udp4');
nameServer.on('message', (question, from) => {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const answer = answers[labels.join('.')];
  if (answer === undefined) return;
  const type = question.readUInt16BE(at + 1);
  const addresses = (type === A ? answer.a : type === AAAA ? answer.aaaa : undefined) ?? [];
  const header = Buffer.alloc(12);
  question.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (answer.code ?? 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => {
    const bytes = type === A ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
    return Buffer.concat([record, bytes]);
  });
  const message = Buffer.concat([header, question.subarray(12, at + 5), ...records]);
  nameServer.send(message, from.port, from.address);
});
nameServer.bind(0, '127.0.0.1');
await once(nameServer, 'listening');
afterAll(() => nameServer.close());

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  const [first, last] = [groups(head), groups(tail)];
  const middle = Array<string>(8 - first.length - last.length).fill('0');
  return Buffer.from([...first, ...middle, ...last].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function lookupWith(options: { timeout: number }) {
  const resolver = new Resolver({ ...options, tries: 1 });
  resolver.setServers([`127.0.0.1:${nameServer.address().port}`]);
  const lookup = createPublicLookup(resolver);
  return (hostname: string) =>
    new Promise((resolve) =>
      lookup(hostname, { all: true }, (error, addresses) =>
        resolve(error ? (error.code ?? error.message) : addresses),
      ),
    );
}

const lookup = lookupWith({ timeout: 10_000 });

test('finds the addresses of public names', async () => {
  expect(await lookup('public.example')).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 },
  ]);
  expect(await lookup('four.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
});

test.each(['inside.example', 'mixed.example', 'localhost', 'printer.local'])(
  'refuses %s, whose address is private',
  async (name) => {
    expect(await lookup(name)).toBe(`${name} is on a private network`);
  },
);

test('distinguishes names that do not exist from servers that fail', async () => {
  expect(await lookup('unknown.example')).toBe('ENOTFOUND');
  expect(await lookup('empty.example')).toBe('ENOTFOUND');
  expect(await lookup('failing.example')).toBe('EAI_AGAIN');
});

test('name servers that do not answer do not delay files', async () => {
  const order: string[] = [];
  const silent = lookupWith({ timeout: 1500 });
  // More names than the thread pool has threads.
  const lookups = Array.from({ length: 16 }, async (_, at) => {
    expect(await silent(`silent-${at}.example`)).toBe('EAI_AGAIN');
    order.push('name');
  });
  await stat(import.meta.filename);
  order.push('file');
  await Promise.all(lookups);
  expect(order[0]).toBe('file');
});

test('recognises private addresses', () => {
  expect(isPrivateHost('93.184.216.34')).toBe(false);
  expect(isPrivateHost('169.254.169.254')).toBe(true);
});
