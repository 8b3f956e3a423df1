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
  /** The next requests fail with these statuses without any effect; 0 closes the connection. */
  failNext: (...statuses: number[]) => void;
  /** All requests so far, as `PUT /bucket/key`. */
  requests: string[];
  close: () => Promise<void>;
}

/** Only the public files are readable without a signature, as `S3_PUBLIC_URL` requires. */
const PUBLIC_FILES = /^\/public\/(files\/.*)/;
/** The entire bucket is readable without a signature: a misconfiguration. */
const PUBLIC_BUCKET = /^\/careless\/(.*)/;

/**
 * Starts S3rver, which verifies signatures. Two checks that it lacks are added: requests without a signature are
 * rejected, and the content must match the signed hash.
 */
export async function startTestS3(port = 0): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'mozhan-s3-'));
  const forward = new S3rver({ directory, silent: true, vhostBuckets: false }).callback();
  const failures: number[] = [];
  const requests: string[] = [];

  function handleRequest(request: IncomingMessage, response: ServerResponse): void {
    const url = request.url ?? '';
    requests.push(`${request.method} ${url.replace(/\?.*/, '')}`);
    const failure = failures.shift();
    if (failure === 0) {
      request.socket.destroy();
      return;
    }
    const isSigned = request.headers.authorization !== undefined || url.includes('X-Amz-Signature=');
    const publicKey =
      request.method === 'GET' ? (PUBLIC_FILES.exec(url) ?? PUBLIC_BUCKET.exec(url))?.[1] : undefined;
    if (publicKey !== undefined) request.url = `/${config.bucket}/${publicKey}`;
    if (failure !== undefined || (!isSigned && publicKey === undefined)) {
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
        if (hash.digest('hex') !== claimed)
          throw new Error(`${url}: the content does not match the signed hash`);
      });
      // The stream stays paused until S3rver listens as well, so that neither misses the first chunk.
      request.pause();
    }
    forward(request, response);
  }

  const server = createServer(handleRequest).listen(port, '127.0.0.1');
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
    requests,
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
