import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { ForbiddenAddress, isForbidden, lookupOpen } from './address.ts';

const TIMEOUT_MS = 10_000;
const MOST_READ = 4096;

export interface Outcome {
  /** Null: no answer. */
  code: number | null;
  error: string;
  /** How the answer begins. */
  response: string;
  duration: number;
}

const known: Record<string, string> = {
  ENOTFOUND: '找不到这个域名',
  EAI_AGAIN: '暂时查不到这个域名',
  ECONNREFUSED: '对方拒绝连接',
  ECONNRESET: '对方断开了连接',
  EHOSTUNREACH: '连不上对方',
  ENETUNREACH: '连不上对方',
  ETIMEDOUT: '连接超时',
};

function sentenceOf(error: unknown): string {
  if (error instanceof ForbiddenAddress) return '不能发往本机或内网的地址';
  if (!(error instanceof Error)) return '发送失败';
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `对方 ${TIMEOUT_MS / 1000} 秒内没有回应`;
  // Several addresses were tried.
  const inner = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const { code = '' } = inner as NodeJS.ErrnoException;
  if (/CERT|TLS|SSL/.test(code)) return `对方的证书有问题（${code}）`;
  return known[code] ?? `发送失败（${code || inner.message}）`.slice(0, 200);
}

function errorOf(code: number): string {
  if (code >= 200 && code < 300) return '';
  return code >= 300 && code < 400 ? `回应 ${code}：要求转到别处，不跟随` : `回应 ${code}`;
}

interface Message {
  url: string;
  headers: Record<string, string>;
  body: string;
  mayBePrivate: boolean;
}

/** Posts once, follows nothing, and reads only the beginning of the answer. */
export async function post(message: Message): Promise<Outcome> {
  const started = performance.now();
  const duration = () => Math.round(performance.now() - started);
  try {
    const { code, response } = await exchange(message);
    return { code, error: errorOf(code), response, duration: duration() };
  } catch (error) {
    return { code: null, error: sentenceOf(error), response: '', duration: duration() };
  }
}

function exchange({
  url,
  headers,
  body,
  mayBePrivate,
}: Message): Promise<{ code: number; response: string }> {
  const { protocol, hostname } = new URL(url);
  // What needs no looking up is never looked up.
  if (!mayBePrivate && (protocol !== 'https:' || isForbidden(hostname)))
    return Promise.reject(new ForbiddenAddress(hostname));
  return new Promise((resolve, reject) => {
    let finish: (() => void) | undefined;
    const send = protocol === 'https:' ? requestSecure : requestPlain;
    const sent = send(
      url,
      {
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        ...(mayBePrivate ? {} : { lookup: lookupOpen }),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        finish = () => {
          const text = Buffer.concat(chunks).subarray(0, MOST_READ).toString('utf8');
          // PostgreSQL keeps no NUL.
          resolve({ code: answer.statusCode ?? 0, response: text.replaceAll('\0', '') });
          sent.destroy();
        };
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size >= MOST_READ) finish?.();
        });
        // The answer counts by its status, whether or not all of it comes.
        answer.once('end', finish);
        answer.once('error', finish);
      },
    );
    sent.on('error', (error) => (finish === undefined ? reject(error) : finish()));
    sent.end(body);
  });
}
