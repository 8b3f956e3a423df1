import { createHash, createHmac } from 'node:crypto';
import type { S3Config } from '../config/s3.ts';

export interface SignableRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const UNSIGNED = 'UNSIGNED-PAYLOAD';

export const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** The canonical query string of the signature, which is also sent. */
export const toQuery = (parameters: Iterable<[string, string]>): string =>
  [...parameters]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');

const toTimestamp = (time: Date): string => time.toISOString().replace(/[-:]|\.\d+/g, '');

type Account = Pick<S3Config, 'region' | 'accessKey' | 'secretKey'>;

const scopeOf = ({ region }: Account, timestamp: string): string =>
  `${timestamp.slice(0, 8)}/${region}/s3/aws4_request`;

interface SignatureInput extends SignableRequest {
  timestamp: string;
  payload: string;
}

const signedHeaderNames = (headers: SignableRequest['headers']): string =>
  Object.keys(headers).sort().join(';');

function signatureOf({ method, url, headers, timestamp, payload }: SignatureInput, account: Account): string {
  const request = [
    method,
    url.pathname,
    toQuery(url.searchParams),
    ...Object.keys(headers)
      .sort()
      .map((name) => `${name}:${headers[name]}`),
    '',
    signedHeaderNames(headers),
    payload,
  ].join('\n');
  const scope = scopeOf(account, timestamp);
  const key = scope.split('/').reduce(hmac, Buffer.from(`AWS4${account.secretKey}`));
  return hmac(key, [ALGORITHM, timestamp, scope, sha256(request)].join('\n')).toString('hex');
}

/** Returns the headers to send; `payload` is the hash of the body. Header names must be lower-case. */
export function sign(
  { method, url, headers }: SignableRequest,
  account: Account,
  { now, payload }: { now: Date; payload: string },
): Record<string, string> {
  const timestamp = toTimestamp(now);
  const signed = { ...headers, host: url.host, 'x-amz-date': timestamp, 'x-amz-content-sha256': payload };
  const signature = signatureOf({ method, url, headers: signed, timestamp, payload }, account);
  const credential = `${account.accessKey}/${scopeOf(account, timestamp)}`;
  const { host: _, ...sent } = signed;
  return {
    ...sent,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${signedHeaderNames(signed)}, Signature=${signature}`,
  };
}

/** A presigned URL for exactly this request with these headers. */
export function presign(
  { method, url, headers }: SignableRequest,
  account: Account,
  { now, seconds }: { now: Date; seconds: number },
): string {
  const timestamp = toTimestamp(now);
  const signed = { ...headers, host: url.host };
  const address = new URL(url);
  const parameters = {
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${account.accessKey}/${scopeOf(account, timestamp)}`,
    'X-Amz-Date': timestamp,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': signedHeaderNames(signed),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const given = { method, url: address, headers: signed, timestamp, payload: UNSIGNED };
  const signature = signatureOf(given, account);
  return `${url.origin}${url.pathname}?${toQuery(address.searchParams)}&X-Amz-Signature=${signature}`;
}
