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
import { downloadFile, ProviderError, RESPONSE_TIMEOUT_MS } from './provider-call.ts';

/** Maximum clock difference; older messages are rejected as replays. */
const MAX_SKEW_MS = 5 * 60_000;
/** Forged callbacks may name unknown certificates, so the list is not fetched again for each. */
const REFETCH_AFTER_MS = 60_000;

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

/** A response or callback with its signature headers. */
interface SignedMessage {
  header: (name: string) => string;
  body: string;
}

export interface WechatClient {
  /** Returns null for a response without a body. */
  call: (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>;
  /** Downloads a file and checks its digest, which comes from a signed response. */
  fetchFile: (url: string, sha1: string) => Promise<Uint8Array>;
  openCallback: (headers: IncomingHttpHeaders, body: string) => Promise<{ type: string; content: unknown }>;
  /** Signs lines, each terminated by a newline. */
  signLines: (lines: string[]) => string;
}

/** The protocol of WeChat Pay's API v3, in which both sides sign their messages. */
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

  async function sendRequest(method: 'GET' | 'POST', path: string, body = ''): Promise<SignedMessage> {
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
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw toProviderError(response.status, text);
    return { header: (name) => response.headers.get(name) ?? '', body: text };
  }

  function decrypt({ ciphertext, nonce, associated_data }: Encrypted): string {
    const bytes = Buffer.from(ciphertext, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', config.key, nonce, { authTagLength: 16 });
    decipher.setAAD(Buffer.from(associated_data));
    decipher.setAuthTag(bytes.subarray(-16));
    return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8');
  }

  /** The certificates are encrypted for us, and the response is signed with one of them. */
  async function fetchCertificates(): Promise<void> {
    const signed = await sendRequest('GET', '/v3/certificates');
    const fetched = certificateList.parse(JSON.parse(signed.body)).data.map((each) => {
      const certificate = new X509Certificate(decrypt(each.encrypt_certificate));
      return { serial: each.serial_no, key: certificate.publicKey, until: certificate.validToDate };
    });
    const signer = fetched.find(({ serial }) => serial === signed.header('wechatpay-serial'));
    if (signer === undefined || !isSigned(signed, signer.key)) throw new Error('wrong signature');
    for (const { serial, ...certificate } of fetched) certificates.set(serial, certificate);
    fetchedAt = clock().getTime();
  }

  async function findKey(serial: string): Promise<KeyObject | null> {
    if (config.publicKey !== null && serial === config.publicKey.id) return config.publicKey.key;
    if (!certificates.has(serial) && clock().getTime() - fetchedAt > REFETCH_AFTER_MS) {
      fetching ??= fetchCertificates().finally(() => {
        fetching = null;
      });
      await fetching;
    }
    const known = certificates.get(serial);
    return known === undefined || known.until < clock() ? null : known.key;
  }

  function isSigned({ header, body }: SignedMessage, key: KeyObject): boolean {
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

  async function isSignedByWechat(message: SignedMessage): Promise<boolean> {
    const key = await findKey(message.header('wechatpay-serial'));
    return key !== null && isSigned(message, key);
  }

  return {
    signLines,
    async call(method, path, body) {
      const signed = await sendRequest(method, path, body === undefined ? '' : JSON.stringify(body));
      if (!(await isSignedByWechat(signed))) throw new Error('wrong signature');
      return signed.body === '' ? null : JSON.parse(signed.body);
    },
    async fetchFile(address, sha1) {
      const url = new URL(address);
      // The authorization header must be sent to WeChat's host only.
      if (url.origin !== new URL(config.gateway).origin) throw new Error('file: another host');
      const bytes = await downloadFile(address, { authorization: authorization('GET', url, '') });
      if (createHash('sha1').update(bytes).digest('hex') !== sha1.toLowerCase())
        throw new Error('file: wrong digest');
      return bytes;
    },
    async openCallback(headers, body) {
      const header = (name: string): string => {
        const value = headers[name];
        return typeof value === 'string' ? value : '';
      };
      if (!(await isSignedByWechat({ header, body })))
        throw new CallError('MALFORMED', { message: '签名不对' });
      try {
        const event = z.object({ event_type: z.string(), resource: encrypted }).parse(JSON.parse(body));
        return { type: event.event_type, content: JSON.parse(decrypt(event.resource)) };
      } catch (error) {
        throw new CallError('MALFORMED', { message: '通知的内容无法读取', cause: error });
      }
    },
  };
}

function toProviderError(status: number, text: string): Error {
  try {
    const { code, message } = failure.parse(JSON.parse(text));
    return new ProviderError(code, message);
  } catch {
    return new Error(`status ${status}`);
  }
}
