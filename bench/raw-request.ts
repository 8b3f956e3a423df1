import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 200 });

/** Aborts all requests in progress. */
export const abortAll = (): void => agent.destroy();

export interface RawResponse {
  /** 0 when the connection failed. */
  status: number;
  body: Buffer;
}

/** Sends requests that `fetch` would normalize or reject, such as a path of slashes. */
export const send = (
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<RawResponse> =>
  new Promise((resolve) => {
    const { hostname, port, origin } = new URL(url.slice(0, url.indexOf('/', 8)));
    const path = url.slice(origin.length);
    const sized =
      body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) };
    const failed = () => resolve({ status: 0, body: Buffer.alloc(0) });
    request({ agent, hostname, port, path, method, headers: sized }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
    })
      .on('error', failed)
      .end(body);
  });
