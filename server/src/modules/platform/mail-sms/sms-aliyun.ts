import { createHash, createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SmsConfig } from '../../../config/sms.ts';
import type { Sms } from './sms-sender.ts';

const TIMEOUT_MS = 8000;
/** Truncates Aliyun's message in the log, because it quotes an invalid signature. */
const MAX_MESSAGE_LENGTH = 80;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** RFC 3986 escapes more characters than `encodeURIComponent`. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

interface AliyunRequest {
  action: string;
  version: string;
  parameters: Record<string, string>;
  at: Date;
  nonce: string;
}

/** Signs a request with Aliyun's signature V3 (ACS3-HMAC-SHA256); all parameters are in the URL, the body is empty. */
export function signRequest(
  { accessKeyId, accessKeySecret, endpoint }: Pick<SmsConfig, 'accessKeyId' | 'accessKeySecret' | 'endpoint'>,
  { action, version, parameters, at, nonce }: AliyunRequest,
): { url: string; headers: Record<string, string> } {
  const query = Object.keys(parameters)
    .sort()
    .map((name) => `${encode(name)}=${encode(parameters[name] ?? '')}`)
    .join('&');
  const headers: Record<string, string> = {
    host: new URL(endpoint).host,
    'x-acs-action': action,
    'x-acs-content-sha256': sha256(''),
    'x-acs-date': at.toISOString().replace(/\.\d+Z$/, 'Z'),
    'x-acs-signature-nonce': nonce,
    'x-acs-version': version,
  };
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const signed = names.join(';');
  const request = ['POST', '/', query, lines, signed, sha256('')].join('\n');
  const signature = createHmac('sha256', accessKeySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(request)}`)
    .digest('hex');
  return {
    url: `${endpoint}/?${query}`,
    headers: {
      ...headers,
      accept: 'application/json',
      authorization: `ACS3-HMAC-SHA256 Credential=${accessKeyId},SignedHeaders=${signed},Signature=${signature}`,
    },
  };
}

const responseSchema = z.object({ Code: z.string(), Message: z.string().default('') });

/** Throws Aliyun's error code and message, for the log and the list of jobs. */
export async function sendByAliyun(config: SmsConfig, { to, code }: Sms): Promise<void> {
  const { url, headers } = signRequest(config, {
    action: 'SendSms',
    version: '2017-05-25',
    parameters: {
      PhoneNumbers: to,
      SignName: config.signName,
      TemplateCode: config.templateCode,
      TemplateParam: JSON.stringify({ code }),
    },
    at: new Date(),
    nonce: randomUUID(),
  });
  const response = await fetch(url, { method: 'POST', headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const parsed = responseSchema.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new Error(`aliyun sms: status ${response.status}`);
  const { Code, Message } = parsed.data;
  if (Code !== 'OK') throw new Error(`aliyun sms: ${Code} ${Message.slice(0, MAX_MESSAGE_LENGTH)}`);
}
