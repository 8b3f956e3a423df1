import {
  createDecipheriv,
  createHash,
  type KeyObject,
  randomBytes,
  sign,
  verify,
  X509Certificate,
} from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { CallError } from '@mozhan/contract/errors.ts';
import { z } from 'zod';
import type { WechatPayConfig } from '../../../../config/pay.ts';
import { ANSWER_MS, download, Refusal } from './outside.ts';

/** How far clocks may differ; what is older is a recording. */
const MAX_SKEW_MS = 5 * 60_000;
/** Callbacks may name certificates that do not exist; WeChat is not asked about each of them. */
const FETCH_AGAIN_MS = 60_000;

const encrypted = z.object({
  algorithm: z.literal('AEAD_AES_256_GCM'),
  ciphertext: z.string(),
  nonce: z.string(),
  associated_data: z.string().default(''),
});
type Encrypted = z.output<typeof encrypted>;
const certificateList = z.object({
  data: z.array(z.object({ serial_no: z.string(), encrypt_certificate: encrypted })),
});
const failure = z.object({ code: z.string(), message: z.string().default('') });

/** What came, with the headers that say by whom. */
interface Signed {
  header: (name: string) => string;
  body: string;
}

export interface WechatClient {
  /** Null: an answer without a body. */
  call: (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>;
  /** A file whose digest is known from a signed answer. */
  fetchFile: (url: string, sha1: string) => Promise<Uint8Array>;
  /** What a callback carries, once it is sure who sent it. */
  open: (headers: IncomingHttpHeaders, body: string) => Promise<{ type: string; content: unknown }>;
  /** Over lines that end with a newline each. */
  signLines: (lines: string[]) => string;
}

/** The protocol of WeChat Pay's API v3: both sides sign what they send. */
export function createWechatClient(config: WechatPayConfig, clock: () => Date): WechatClient {
  const certificates = new Map<string, { key: KeyObject; until: Date }>();
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | null = null;

  const signLines = (lines: string[]): string =>
    sign('RSA-SHA256', Buffer.from(lines.map((line) => `${line}\n`).join('')), config.privateKey).toString(
      'base64',
    );

  function authorization(method: string, url: URL, body: string): string {
    const timestamp = String(Math.floor(clock().getTime() / 1000));
    const nonce = randomBytes(16).toString('hex');
    const signature = signLines([method, url.pathname + url.search, timestamp, nonce, body]);
    return `WECHATPAY2-SHA256-RSA2048 mchid="${config.mchId}",nonce_str="${nonce}",signature="${signature}",timestamp="${timestamp}",serial_no="${config.serial}"`;
  }

  async function ask(method: 'GET' | 'POST', path: string, body = ''): Promise<Signed> {
    const url = new URL(config.gateway + path);
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'mozhan',
        authorization: authorization(method, url, body),
        ...(body === '' ? {} : { 'content-type': 'application/json' }),
        ...(config.publicKey === null ? {} : { 'wechatpay-serial': config.publicKey.id }),
      },
      ...(body === '' ? {} : { body }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await response.text();
    if (!response.ok) throw toRefusal(response.status, text);
    return { header: (name) => response.headers.get(name) ?? '', body: text };
  }

  function decrypt({ ciphertext, nonce, associated_data }: Encrypted): string {
    const bytes = Buffer.from(ciphertext, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', config.key, nonce, { authTagLength: 16 });
    decipher.setAAD(Buffer.from(associated_data));
    decipher.setAuthTag(bytes.subarray(-16));
    return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8');
  }

  /** They are encrypted for us, and the answer is signed with one of them. */
  async function fetchCertificates(): Promise<void> {
    const answer = await ask('GET', '/v3/certificates');
    const fetched = certificateList.parse(JSON.parse(answer.body)).data.map((each) => {
      const certificate = new X509Certificate(decrypt(each.encrypt_certificate));
      return { serial: each.serial_no, key: certificate.publicKey, until: certificate.validToDate };
    });
    const signer = fetched.find(({ serial }) => serial === answer.header('wechatpay-serial'));
    if (signer === undefined || !isSigned(answer, signer.key)) throw new Error('wrong signature');
    for (const { serial, ...certificate } of fetched) certificates.set(serial, certificate);
    fetchedAt = clock().getTime();
  }

  async function findKey(serial: string): Promise<KeyObject | null> {
    if (config.publicKey !== null && serial === config.publicKey.id) return config.publicKey.key;
    if (!certificates.has(serial) && clock().getTime() - fetchedAt > FETCH_AGAIN_MS) {
      fetching ??= fetchCertificates().finally(() => {
        fetching = null;
      });
      await fetching;
    }
    const known = certificates.get(serial);
    return known === undefined || known.until < clock() ? null : known.key;
  }

  function isSigned({ header, body }: Signed, key: KeyObject): boolean {
    const timestamp = header('wechatpay-timestamp');
    const skew = Math.abs(clock().getTime() - Number(timestamp) * 1000);
    if (!/^\d+$/.test(timestamp) || skew > MAX_SKEW_MS) return false;
    const lines = `${timestamp}\n${header('wechatpay-nonce')}\n${body}\n`;
    return verify(
      'RSA-SHA256',
      Buffer.from(lines),
      key,
      Buffer.from(header('wechatpay-signature'), 'base64'),
    );
  }

  async function isOurs(message: Signed): Promise<boolean> {
    const key = await findKey(message.header('wechatpay-serial'));
    return key !== null && isSigned(message, key);
  }

  return {
    signLines,
    async call(method, path, body) {
      const answer = await ask(method, path, body === undefined ? '' : JSON.stringify(body));
      if (!(await isOurs(answer))) throw new Error('wrong signature');
      return answer.body === '' ? null : JSON.parse(answer.body);
    },
    async fetchFile(address, sha1) {
      const url = new URL(address);
      // The signature is a key: it is for WeChat's own machine only.
      if (url.origin !== new URL(config.gateway).origin) throw new Error('file: another host');
      const bytes = await download(address, { authorization: authorization('GET', url, '') });
      if (createHash('sha1').update(bytes).digest('hex') !== sha1.toLowerCase())
        throw new Error('file: wrong digest');
      return bytes;
    },
    async open(headers, body) {
      const header = (name: string): string => {
        const value = headers[name];
        return typeof value === 'string' ? value : '';
      };
      if (!(await isOurs({ header, body }))) throw new CallError('MALFORMED', { message: '签名不对' });
      try {
        const event = z.object({ event_type: z.string(), resource: encrypted }).parse(JSON.parse(body));
        return { type: event.event_type, content: JSON.parse(decrypt(event.resource)) };
      } catch (error) {
        throw new CallError('MALFORMED', { message: '通知的内容读不出来', cause: error });
      }
    },
  };
}

function toRefusal(status: number, text: string): Error {
  try {
    const { code, message } = failure.parse(JSON.parse(text));
    return new Refusal(code, message);
  } catch {
    return new Error(`status ${status}`);
  }
}
