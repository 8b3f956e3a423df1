import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import type { S3Config } from '../config/s3.ts';

export interface TestS3 {
  config: S3Config;
  url: string;
  /** The next requests are answered so, before anything is done with them; 0: the connection is cut. */
  failNext: (...statuses: number[]) => void;
  /** `PUT /bucket/key`, of all requests so far. */
  seen: string[];
  close: () => Promise<void>;
}

/** Where anyone may read, as an operator would open the bucket for `S3_PUBLIC_URL`. */
const OPEN = /^\/public\/(files\/.*)/;
/** As a careless one would. */
const CARELESS = /^\/careless\/(.*)/;

/**
 * Somebody else's S3, which checks signatures. What it leaves out is added here: nobody comes in without a signature,
 * and what is sent must be what was signed.
 */
export async function startTestS3(port = 0): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'mozhan-s3-'));
  const listen = new S3rver({ directory, silent: true, vhostBuckets: false }).callback();
  const failures: number[] = [];
  const seen: string[] = [];

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = request.url ?? '';
    seen.push(`${request.method} ${url.replace(/\?.*/, '')}`);
    const failure = failures.shift();
    if (failure === 0) {
      request.socket.destroy();
      return;
    }
    const isSigned = request.headers.authorization !== undefined || url.includes('X-Amz-Signature=');
    const open = request.method === 'GET' ? (OPEN.exec(url) ?? CARELESS.exec(url))?.[1] : undefined;
    if (open !== undefined) request.url = `/${config.bucket}/${open}`;
    if (failure !== undefined || (!isSigned && open === undefined)) {
      request.resume();
      response.writeHead(failure ?? 403, { 'content-type': 'application/xml' });
      response.end(`<Error><Code>${failure === undefined ? 'AccessDenied' : 'SlowDown'}</Code></Error>`);
      return;
    }
    const claimed = request.headers['x-amz-content-sha256'];
    if (request.method === 'PUT' && claimed !== undefined) {
      const hash = createHash('sha256');
      request.on('data', (chunk) => hash.update(chunk));
      request.on('end', () => {
        if (hash.digest('hex') !== claimed) throw new Error(`${url}: what was sent is not what was signed`);
      });
      // The other listener starts the flow, so that neither misses the beginning.
      request.pause();
    }
    listen(request, response);
  }

  const server = createServer(answer).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    endpoint: url,
    bucket: 'mozhan-test',
    region: 'us-east-1',
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
    publicUrl: null,
  };
  return {
    config,
    url,
    seen,
    failNext: (...statuses) => {
      failures.push(...statuses);
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
