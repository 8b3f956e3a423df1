import { createHash, createHmac, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SmsConfig } from '../config/sms.ts';
import { listen, type Request, type Response } from './counterpart.ts';

/** Aliyun's gateway for text messages as its documents describe it, and what reached it. */
export interface AliyunSms {
  /** For the site. */
  config: SmsConfig;
  /** The newest last. */
  sent: { to: string; code: string }[];
  /** Takes the oldest code texted to a number; waits for it. */
  takeCode: (phone: string) => Promise<string>;
  faults: { down: boolean; refuses: boolean };
  close: () => Promise<void>;
}

export const newPhone = (): string => `13${String(randomInt(1_000_000_000)).padStart(9, '0')}`;

const PATIENCE = 10_000;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const MINE = { accessKeyId: 'LTAI5tExample', accessKeySecret: 'an example’s secret' };
const SIGN_NAME = '墨栈(测试)';
const TEMPLATE_CODE = 'SMS_154950909';

/** What came over the network, put together again and signed with the secret that both know. */
function isSigned({ method, url, headers, body }: Request): boolean {
  const [, credential, names = '', signature] =
    /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const required = ['host', 'x-acs-action', 'x-acs-content-sha256', 'x-acs-date', 'x-acs-version'];
  const signed = names.split(';');
  if (credential !== MINE.accessKeyId || required.some((name) => !signed.includes(name))) return false;
  if (headers['x-acs-content-sha256'] !== sha256(body)) return false;
  const age = Math.abs(Date.parse(String(headers['x-acs-date'])) - Date.now());
  const query = url.search.slice(1).split('&').sort().join('&');
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const request = [method, url.pathname, query, lines, names, sha256(body)].join('\n');
  const expected = createHmac('sha256', MINE.accessKeySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(request)}`)
    .digest('hex');
  return age < 15 * 60_000 && signature === expected;
}

const say = (status: number, Code: string, Message: string): Response => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ RequestId: '819BE656-D2E0-4858-8B21-B2E477085AAF', Code, Message }),
});

export async function startAliyunSms(): Promise<AliyunSms> {
  const sent: AliyunSms['sent'] = [];
  const faults = { down: false, refuses: false };
  const nonces = new Set<unknown>();

  function answer(request: Request): Response {
    const { headers, url } = request;
    if (faults.down) return { status: 502, body: 'bad gateway' };
    if (!isSigned(request)) return say(400, 'SignatureDoesNotMatch', 'Specified signature is not matched.');
    const nonce = headers['x-acs-signature-nonce'];
    if (nonces.has(nonce))
      return say(400, 'SignatureNonceUsed', 'Specified signature nonce was used already.');
    nonces.add(nonce);
    if (headers['x-acs-action'] !== 'SendSms' || headers['x-acs-version'] !== '2017-05-25')
      return say(404, 'InvalidAction.NotFound', 'Specified api is not found.');
    const given = Object.fromEntries(url.searchParams);
    if (faults.refuses || given.SignName !== SIGN_NAME)
      return say(200, 'isv.SMS_SIGNATURE_ILLEGAL', '该账号下找不到对应签名');
    if (given.TemplateCode !== TEMPLATE_CODE) return say(200, 'isv.SMS_TEMPLATE_ILLEGAL', '模板不合法');
    const { code } = JSON.parse(given.TemplateParam ?? '{}') as { code?: string };
    sent.push({ to: given.PhoneNumbers ?? '', code: code ?? '' });
    return say(200, 'OK', 'OK');
  }

  async function takeCode(phone: string): Promise<string> {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const at = sent.findIndex(({ to }) => to === phone);
      if (at >= 0) return sent.splice(at, 1)[0]?.code ?? '';
      if (Date.now() > deadline) throw new Error(`no text message to ${phone}`);
      await sleep(20);
    }
  }

  const machine = await listen(answer);
  return {
    config: { ...MINE, signName: SIGN_NAME, templateCode: TEMPLATE_CODE, endpoint: machine.url },
    sent,
    takeCode,
    faults,
    close: machine.close,
  };
}
