import { sign, verify } from 'node:crypto';
import type { AlipayConfig } from '../../../../config/pay.ts';
import { toChinaTime } from './china-time.ts';
import { RESPONSE_TIMEOUT_MS } from './provider-call.ts';

type Fields = Record<string, string>;

export interface AlipayClient {
  call: (method: string, content: object) => Promise<unknown>;
  /** A URL of the gateway for the payer's browser. */
  pageUrl: (method: string, content: object, urls: { notify_url: string; return_url: string }) => string;
  isSigned: (fields: Fields) => boolean;
}

const toSignedText = (fields: Fields): string =>
  Object.entries(fields)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

/**
 * Returns the part of a response that the signature covers, unchanged. Only this text is parsed, so unsigned content
 * around it has no effect.
 */
function signedPartOf(response: string, method: string): string {
  const name = `"${method.replaceAll('.', '_')}_response"`;
  const start = response.indexOf('{', response.indexOf(name) + name.length);
  const end = response.lastIndexOf('}', response.lastIndexOf('"sign"'));
  if (!response.includes(name) || start === -1 || end < start) throw new Error('unknown format');
  return response.slice(start, end + 1);
}

/** The protocol of Alipay's gateway: both sides sign with RSA2 (SHA-256), over parameters sorted by name. */
export function createAlipayClient(config: AlipayConfig, clock: () => Date): AlipayClient {
  const { appId, privateKey, publicKey, gateway } = config;

  const isSignedText = (text: string, signature: string): boolean =>
    verify('RSA-SHA256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));

  function signedUrl(method: string, content: string, more: Fields = {}): URL {
    const fields: Fields = {
      ...more,
      app_id: appId,
      method,
      charset: 'utf-8',
      version: '1.0',
      sign_type: 'RSA2',
      timestamp: toChinaTime(clock()),
    };
    const text = toSignedText({ ...fields, biz_content: content });
    const url = new URL(gateway);
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
    url.searchParams.set('sign', sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64'));
    return url;
  }

  return {
    async call(method, content) {
      const json = JSON.stringify(content);
      const response = await fetch(signedUrl(method, json), {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({ biz_content: json }),
        signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      });
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      const text = await response.text();
      const { sign: signature } = JSON.parse(text) as { sign?: unknown };
      const signedPart = signedPartOf(text, method);
      if (typeof signature !== 'string' || !isSignedText(signedPart, signature))
        throw new Error('wrong signature');
      return JSON.parse(signedPart);
    },
    pageUrl(method, content, urls) {
      const json = JSON.stringify(content);
      const url = signedUrl(method, json, urls);
      url.searchParams.set('biz_content', json);
      return url.href;
    },
    isSigned({ sign: signature = '', sign_type: _, ...fields }) {
      return isSignedText(toSignedText(fields), signature);
    },
  };
}
