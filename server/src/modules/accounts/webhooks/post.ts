import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { ForbiddenAddressError, isPrivateHost, lookupPublicOnly } from '../../../outgoing/public-address.ts';

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 4096;

export interface PostResult {
  /** The HTTP status, or null without a response. */
  code: number | null;
  error: string;
  response: string;
  duration: number;
}

const errorMessages: Record<string, string> = {
  ENOTFOUND: '找不到这个域名',
  EAI_AGAIN: '暂时查不到这个域名',
  ECONNREFUSED: '对方拒绝连接',
  ECONNRESET: '对方断开了连接',
  EHOSTUNREACH: '连不上对方',
  ENETUNREACH: '连不上对方',
  ETIMEDOUT: '连接超时',
};

function toErrorMessage(error: unknown): string {
  if (error instanceof ForbiddenAddressError) return '不能发往本机或内网的地址';
  if (!(error instanceof Error)) return '发送失败';
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `对方 ${TIMEOUT_MS / 1000} 秒内没有响应`;
  // Node reports one error per address that it tried.
  const inner = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const { code = '' } = inner as NodeJS.ErrnoException;
  if (/CERT|TLS|SSL/.test(code)) return `对方的证书有问题（${code}）`;
  return errorMessages[code] ?? `发送失败（${code || inner.message}）`.slice(0, 200);
}

function toStatusError(code: number): string {
  if (code >= 200 && code < 300) return '';
  return code >= 300 && code < 400 ? `响应 ${code}：要求跳转，没有跟随` : `响应 ${code}`;
}

interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  allowPrivate: boolean;
}

/** Sends one request without following redirects and reads only the beginning of the response. */
export async function postWebhook(message: WebhookRequest): Promise<PostResult> {
  const started = performance.now();
  const duration = () => Math.round(performance.now() - started);
  try {
    const { code, response } = await exchange(message);
    return { code, error: toStatusError(code), response, duration: duration() };
  } catch (error) {
    return { code: null, error: toErrorMessage(error), response: '', duration: duration() };
  }
}

function exchange({
  url,
  headers,
  body,
  allowPrivate,
}: WebhookRequest): Promise<{ code: number; response: string }> {
  const { protocol, hostname } = new URL(url);
  // The lookup hook is not called for literal addresses, so they are checked here.
  if (!allowPrivate && (protocol !== 'https:' || isPrivateHost(hostname)))
    return Promise.reject(new ForbiddenAddressError(hostname));
  return new Promise((resolve, reject) => {
    let finish: (() => void) | undefined;
    const send = protocol === 'https:' ? requestSecure : requestPlain;
    const request = send(
      url,
      {
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        ...(allowPrivate ? {} : { lookup: lookupPublicOnly }),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        let size = 0;
        finish = () => {
          const text = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString('utf8');
          // PostgreSQL text cannot contain NUL.
          resolve({ code: incoming.statusCode ?? 0, response: text.replaceAll('\0', '') });
          request.destroy();
        };
        incoming.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size >= MAX_RESPONSE_BYTES) finish?.();
        });
        // The status decides, so an incomplete body is accepted.
        incoming.once('end', finish);
        incoming.once('error', finish);
      },
    );
    const end = (error: Error) => (finish === undefined ? reject(error) : finish());
    request.on('error', end);
    // The only event after an upgrade that nobody asked for.
    request.on('close', () => end(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    request.end(body);
  });
}
