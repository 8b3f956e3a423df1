import { createHash, createHmac, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SmsConfig } from '../config/sms.ts';
import { startTestServer, type TestRequest, type TestResponse } from './http-server.ts';

/** Imitates Aliyun's SMS gateway by its documentation and records the messages. */
export interface TestAliyunSms {
  /** The configuration of the server under test. */
  config: SmsConfig;
  /** Messages that no test has consumed yet, the newest last. */
  sent: { to: string; code: string }[];
  /** Waits for the oldest code sent to a number and removes it from `sent`. */
  waitForCode: (phone: string) => Promise<string>;
  faults: { down: boolean; refuses: boolean };
  close: () => Promise<void>;
}

export const randomPhone = (): string => `13${String(randomInt(1_000_000_000)).padStart(9, '0')}`;

const WAIT_TIMEOUT_MS = 120_000;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const CREDENTIALS = { accessKeyId: 'LTAI5tExample', accessKeySecret: 'an example’s secret' };
const SIGN_NAME = '墨栈(测试)';
const TEMPLATE_CODE = 'SMS_154950909';

function isSigned({ method, url, headers, body }: TestRequest): boolean {
  const [, credential, names = '', signature] =
    /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const required = ['host', 'x-acs-action', 'x-acs-content-sha256', 'x-acs-date', 'x-acs-version'];
  const signed = names.split(';');
  if (credential !== CREDENTIALS.accessKeyId || required.some((name) => !signed.includes(name))) return false;
  if (headers['x-acs-content-sha256'] !== sha256(body)) return false;
  const age = Math.abs(Date.parse(String(headers['x-acs-date'])) - Date.now());
  const query = url.search.slice(1).split('&').sort().join('&');
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const request = [method, url.pathname, query, lines, names, sha256(body)].join('\n');
  const expected = createHmac('sha256', CREDENTIALS.accessKeySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(request)}`)
    .digest('hex');
  return age < 15 * 60_000 && signature === expected;
}

const toResponse = (status: number, Code: string, Message: string): TestResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ RequestId: '819BE656-D2E0-4858-8B21-B2E477085AAF', Code, Message }),
});

export async function startTestAliyunSms(): Promise<TestAliyunSms> {
  const sent: TestAliyunSms['sent'] = [];
  const faults = { down: false, refuses: false };
  const nonces = new Set<unknown>();

  function handleRequest(request: TestRequest): TestResponse {
    const { headers, url } = request;
    if (faults.down) return { status: 502, body: 'bad gateway' };
    if (!isSigned(request))
      return toResponse(400, 'SignatureDoesNotMatch', 'Specified signature is not matched.');
    const nonce = headers['x-acs-signature-nonce'];
    if (nonces.has(nonce))
      return toResponse(400, 'SignatureNonceUsed', 'Specified signature nonce was used already.');
    nonces.add(nonce);
    if (headers['x-acs-action'] !== 'SendSms' || headers['x-acs-version'] !== '2017-05-25')
      return toResponse(404, 'InvalidAction.NotFound', 'Specified api is not found.');
    const parameters = Object.fromEntries(url.searchParams);
    if (faults.refuses || parameters.SignName !== SIGN_NAME)
      return toResponse(200, 'isv.SMS_SIGNATURE_ILLEGAL', '该账号下找不到对应签名');
    if (parameters.TemplateCode !== TEMPLATE_CODE)
      return toResponse(200, 'isv.SMS_TEMPLATE_ILLEGAL', '模板不合法');
    const { code } = JSON.parse(parameters.TemplateParam ?? '{}') as { code?: string };
    sent.push({ to: parameters.PhoneNumbers ?? '', code: code ?? '' });
    return toResponse(200, 'OK', 'OK');
  }

  async function waitForCode(phone: string): Promise<string> {
    const deadline = Date.now() + WAIT_TIMEOUT_MS;
    for (;;) {
      const at = sent.findIndex(({ to }) => to === phone);
      if (at >= 0) return sent.splice(at, 1)[0]?.code ?? '';
      if (Date.now() > deadline) throw new Error(`no text message to ${phone}`);
      await sleep(20);
    }
  }

  const server = await startTestServer(handleRequest);
  return {
    config: { ...CREDENTIALS, signName: SIGN_NAME, templateCode: TEMPLATE_CODE, endpoint: server.url },
    sent,
    waitForCode,
    faults,
    close: server.close,
  };
}
