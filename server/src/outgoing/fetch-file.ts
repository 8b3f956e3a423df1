import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ForbiddenAddressError, isPrivateHost, lookupPublicOnly } from './public-address.ts';

const MAX_REDIRECTS = 3;
/** Responses such as 103 before the real one; ordinary servers send one or two. */
const MAX_INFORMATION = 10;
/** Bytes around the body; a body in chunks of one byte has five times its size, and reading it keeps the process busy. */
const MAX_OVERHEAD_BYTES = 64 * 1024;

export interface FetchOptions {
  maxBytes: number;
  /** For all redirects together, including the body. */
  timeoutMs: number;
  allowPrivate: boolean;
  /** Overridden by tests, whose servers have private addresses. */
  isPrivate?: (host: string) => boolean;
  /** Checked for redirects too; an empty port is the usual one of the scheme. */
  refusesPort?: (port: string) => boolean;
}

/** What users may ask for: other ports could be scanned from this machine. */
export const isUnusualPort = (port: string): boolean => port !== '';

/** The message is Chinese and meant for staff. */
export class FetchError extends Error {
  /** True if a later attempt may succeed. */
  readonly isTemporary: boolean;
  /** The error code of the network or of the certificate check, `PRIVATE` or `PRIVATE_NAME`; otherwise empty. */
  readonly code: string;
  constructor(message: string, isTemporary: boolean, code = '') {
    super(message);
    this.isTemporary = isTemporary;
    this.code = code;
  }
}

const networkErrors: Record<string, string> = {
  ENOTFOUND: '找不到这个域名',
  EAI_AGAIN: '暂时查不到这个域名',
  ECONNREFUSED: '对方拒绝连接',
  ECONNRESET: '对方断开了连接',
  EHOSTUNREACH: '连不上对方',
  ENETUNREACH: '连不上对方',
  ETIMEDOUT: '连接超时',
};

const ABNORMAL_MESSAGE = '对方的响应不正常';
const PRIVATE_MESSAGE = '地址在本机或内网，没有取';
export const PRIVATE_CODE = 'PRIVATE';
/** A name of the private network and one that does not exist are the same to users, who could otherwise list such names. */
const unknownNameCodes = ['PRIVATE_NAME', 'ENOTFOUND'];
export const isUnknownName = ({ code }: FetchError): boolean => unknownNameCodes.includes(code);
export const UNKNOWN_NAME_MESSAGE = '找不到这个域名，或者它在内网';

function toFetchError(error: unknown, timeoutMs: number): FetchError {
  if (error instanceof FetchError) return error;
  // Node reports one error per address that it tried.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (inner instanceof ForbiddenAddressError) return new FetchError(PRIVATE_MESSAGE, false, 'PRIVATE_NAME');
  if (!(inner instanceof Error)) return new FetchError('没有取到', true);
  if (inner.name === 'TimeoutError' || inner.name === 'AbortError')
    return new FetchError(`${timeoutMs / 1000} 秒内没有取完`, true);
  const { code = '' } = inner as NodeJS.ErrnoException;
  if (/CERT|TLS|SSL/.test(code)) return new FetchError(`对方的证书有问题（${code}）`, false, code);
  const message = networkErrors[code] ?? `没有取到（${code || inner.message}）`.slice(0, 200);
  return new FetchError(message, true, code);
}

function parseTarget(
  url: string,
  base: string | undefined,
  { allowPrivate, isPrivate = isPrivateHost, refusesPort }: Omit<FetchOptions, 'maxBytes'>,
): URL {
  if (!URL.canParse(url, base)) throw new FetchError('地址不正确', false);
  const target = new URL(url, base);
  if (target.protocol !== 'https:' && target.protocol !== 'http:')
    throw new FetchError('只能取 http 或 https 的地址', false);
  if (target.username !== '' || target.password !== '')
    throw new FetchError('地址里带有用户名或密码，没有取', false);
  if (refusesPort?.(target.port)) throw new FetchError('只能取 80 或 443 端口的地址', false);
  // The lookup hook is not called for literal addresses, so they are checked here.
  if (!allowPrivate && isPrivate(target.hostname)) throw new FetchError(PRIVATE_MESSAGE, false, PRIVATE_CODE);
  return target;
}

function open(target: URL, allowPrivate: boolean, signal: AbortSignal): Promise<IncomingMessage> {
  const send = target.protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const request = send(
      target,
      {
        agent: false,
        signal,
        headers: {
          accept: 'image/*,*/*;q=0.5',
          'accept-encoding': 'identity',
          'user-agent': 'Mozhan-Import/1',
        },
        ...(allowPrivate ? {} : { lookup: lookupPublicOnly }),
      },
      resolve,
    );
    let informationCount = 0;
    request.on('information', () => {
      informationCount += 1;
      if (informationCount === MAX_INFORMATION) request.destroy(new FetchError(ABNORMAL_MESSAGE, false));
    });
    request.on('error', reject);
    // The only event after an upgrade that nobody asked for.
    request.on('close', () => reject(new FetchError(ABNORMAL_MESSAGE, false)));
    request.end();
  });
}

const tooLarge = (maxBytes: number) =>
  new FetchError(`文件太大，最大 ${Math.floor(maxBytes / 1024 / 1024)} MB`, false);

async function* readBody(response: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const { socket } = response;
  const bytesBefore = socket.bytesRead;
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    if (socket.bytesRead - bytesBefore > 2 * bytes + MAX_OVERHEAD_BYTES)
      throw new FetchError(ABNORMAL_MESSAGE, false);
    yield chunk;
  }
  if (bytes === 0) throw new FetchError('对方给的文件是空的', false);
}

const isTemporaryStatus = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/** Fetches a public file; every redirect is checked like the first address. Throws only `FetchError`. */
export const fetchFile = (url: string, options: FetchOptions): Promise<Buffer> =>
  fetchStream(url, options, buffer);

/** Like `fetchFile`, without keeping the body in memory; errors of `consume` become a `FetchError` too. */
export const fetchStream = <T>(
  url: string,
  options: FetchOptions,
  consume: (body: Readable) => Promise<T>,
): Promise<T> =>
  withResponse(url, options, (response) => {
    const status = response.statusCode ?? 0;
    if (status !== 200) throw new FetchError(`对方响应 ${status}`, isTemporaryStatus(status));
    return consume(Readable.from(readBody(response, options.maxBytes), { objectMode: false }));
  });

/** The status after all redirects; the body is not read. */
export const fetchStatus = (url: string, options: Omit<FetchOptions, 'maxBytes'>): Promise<number> =>
  withResponse(url, options, async ({ statusCode = 0 }) => statusCode);

async function withResponse<T>(
  url: string,
  options: Omit<FetchOptions, 'maxBytes'>,
  use: (response: IncomingMessage) => Promise<T>,
): Promise<T> {
  const { timeoutMs, allowPrivate } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  let response: IncomingMessage | undefined;
  try {
    let target = parseTarget(url, undefined, options);
    for (let redirects = 0; ; redirects += 1) {
      response = await open(target, allowPrivate, signal);
      const status = response.statusCode ?? 0;
      const { location } = response.headers;
      if (status < 300 || status >= 400 || location === undefined) return await use(response);
      response.destroy();
      if (redirects === MAX_REDIRECTS) throw new FetchError(`转了 ${MAX_REDIRECTS} 次还没有取到`, false);
      target = parseTarget(location, target.href, options);
    }
  } catch (error) {
    // A response that is aborted reports a lost connection.
    throw toFetchError(signal.aborted && !(error instanceof FetchError) ? signal.reason : error, timeoutMs);
  } finally {
    response?.destroy();
  }
}
