import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Keys {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export const makeKeys = (): Keys => generateKeyPairSync('rsa', { modulusLength: 2048 });
/** Nobody's. */
export const stranger = makeKeys();

export interface Request {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Response {
  status: number;
  headers?: Record<string, string>;
  body: string | Uint8Array;
}

/** A provider's machine: it knows only what comes over the network. */
export async function listen(
  answer: (request: Request) => Response,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const {
        status,
        headers = {},
        body,
      } = answer({
        method: incoming.method ?? '',
        url: new URL(incoming.url ?? '/', 'http://counterpart.test'),
        headers: incoming.headers,
        body: Buffer.concat(parts).toString(),
      });
      outgoing.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** What a provider knows of an order. */
export interface Trade {
  no: string;
  tradeNo: string;
  amount: number;
  title: string;
  notifyUrl: string;
  expiresAt: Date;
  state: 'waiting' | 'paid' | 'closed';
  paidAt: Date | null;
  refunds: Map<string, { amount: number; at: Date }>;
}

let count = 0;

export function makeTrade(of: Pick<Trade, 'no' | 'amount' | 'title' | 'notifyUrl' | 'expiresAt'>): Trade {
  count += 1;
  const tradeNo = `42000${String(Date.now())}${String(count).padStart(6, '0')}`;
  return { ...of, tradeNo, state: 'waiting', paidAt: null, refunds: new Map() };
}

export const yuan = (fen: number): string => (fen / 100).toFixed(2);
/** As clocks in China show it. */
export const chinaTime = (time: Date): string =>
  new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
