import { createHash, createHmac } from 'node:crypto';
import type { S3Config } from '../config/s3.ts';

/** AWS Signature Version 4, as every S3 understands it. */

export interface Signable {
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

/** In the order and the writing that the signature is made of; also what is sent. */
export const toQuery = (parameters: Iterable<[string, string]>): string =>
  [...parameters]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');

const toStamp = (time: Date): string => time.toISOString().replace(/[-:]|\.\d+/g, '');

type Account = Pick<S3Config, 'region' | 'accessKey' | 'secretKey'>;

const scopeOf = ({ region }: Account, stamp: string): string =>
  `${stamp.slice(0, 8)}/${region}/s3/aws4_request`;

interface ToSign extends Signable {
  stamp: string;
  payload: string;
}

const namesOf = (headers: Signable['headers']): string => Object.keys(headers).sort().join(';');

function signatureOf({ method, url, headers, stamp, payload }: ToSign, account: Account): string {
  const request = [
    method,
    url.pathname,
    toQuery(url.searchParams),
    ...Object.keys(headers)
      .sort()
      .map((name) => `${name}:${headers[name]}`),
    '',
    namesOf(headers),
    payload,
  ].join('\n');
  const scope = scopeOf(account, stamp);
  const key = scope.split('/').reduce(hmac, Buffer.from(`AWS4${account.secretKey}`));
  return hmac(key, [ALGORITHM, stamp, scope, sha256(request)].join('\n')).toString('hex');
}

/** The headers to be sent; `payload` is the hash of what is sent with them. Names of headers are in small letters. */
export function sign(
  { method, url, headers }: Signable,
  account: Account,
  { now, payload }: { now: Date; payload: string },
): Record<string, string> {
  const stamp = toStamp(now);
  const signed = { ...headers, host: url.host, 'x-amz-date': stamp, 'x-amz-content-sha256': payload };
  const signature = signatureOf({ method, url, headers: signed, stamp, payload }, account);
  const credential = `${account.accessKey}/${scopeOf(account, stamp)}`;
  const { host: _, ...sent } = signed;
  return {
    ...sent,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${namesOf(signed)}, Signature=${signature}`,
  };
}

/** An address by which somebody else may make this one request, with these headers and no others. */
export function presign(
  { method, url, headers }: Signable,
  account: Account,
  { now, seconds }: { now: Date; seconds: number },
): string {
  const stamp = toStamp(now);
  const signed = { ...headers, host: url.host };
  const address = new URL(url);
  const parameters = {
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${account.accessKey}/${scopeOf(account, stamp)}`,
    'X-Amz-Date': stamp,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': namesOf(signed),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const given = { method, url: address, headers: signed, stamp, payload: UNSIGNED };
  const signature = signatureOf(given, account);
  return `${url.origin}${url.pathname}?${toQuery(address.searchParams)}&X-Amz-Signature=${signature}`;
}
