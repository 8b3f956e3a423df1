import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Keys {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export const generateKeys = (): Keys => generateKeyPairSync('rsa', { modulusLength: 2048 });
/** Keys that neither side trusts, for forged signatures. */
export const unknownKeys = generateKeys();

export interface TestRequest {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface TestResponse {
  status: number;
  headers?: Record<string, string>;
  body: string | Uint8Array;
}

/** Starts an HTTP server that imitates an external service. */
export async function startTestServer(
  handleRequest: (request: TestRequest) => TestResponse,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const {
        status,
        headers = {},
        body,
      } = handleRequest({
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

export interface Trade {
  no: string;
  tradeNo: string;
  amount: number;
  title: string;
  notifyUrl: string;
  expiresAt: Date;
  state: 'waiting' | 'paid' | 'closed';
  paidAt: Date | null;
  refunds: Map<string, { amount: number; at: Date; state?: 'CLOSED' | 'ABNORMAL' | 'SUCCESS' }>;
}

let tradeCount = 0;

export function createTrade(
  fields: Pick<Trade, 'no' | 'amount' | 'title' | 'notifyUrl' | 'expiresAt'>,
): Trade {
  tradeCount += 1;
  const tradeNo = `42000${String(Date.now())}${String(tradeCount).padStart(6, '0')}`;
  return { ...fields, tradeNo, state: 'waiting', paidAt: null, refunds: new Map() };
}

export const formatYuan = (fen: number): string => (fen / 100).toFixed(2);
export const formatChinaTime = (time: Date): string =>
  new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
