import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAlipayClient } from './alipay-client.ts';

const app = generateKeyPairSync('rsa', { modulusLength: 2048 });
const alipay = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signed = (text: string) => sign('RSA-SHA256', Buffer.from(text), alipay.privateKey).toString('base64');

let response = '';
let gateway: Server;
beforeAll(async () => {
  gateway = createServer((_request, reply) => reply.end(response));
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  gateway.close();
});

const client = () =>
  createAlipayClient(
    {
      appId: '2021',
      privateKey: app.privateKey,
      publicKey: alipay.publicKey,
      gateway: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/gateway.do`,
    },
    () => new Date(),
  );
const query = () => client().call('alipay.trade.query', { out_trade_no: '1' });

const PAID = '{"code":"10000","subject":"带 \\"sign\\" 和 } 的标题","trade_status":"TRADE_SUCCESS"}';

test('returns the content of a response that Alipay signed', async () => {
  response = `{"alipay_trade_query_response":${PAID},"sign":"${signed(PAID)}"}`;
  expect(await query()).toEqual(JSON.parse(PAID));
});

test.each([
  ['a changed amount', `{"alipay_trade_query_response":{"code":"10000"},"sign":"${signed(PAID)}"}`],
  ['no signature', `{"alipay_trade_query_response":${PAID}}`],
  [
    'the signed content of another method',
    `{"alipay_trade_close_response":${PAID},"sign":"${signed(PAID)}"}`,
  ],
  [
    'a second content next to the signed one',
    `{"alipay_trade_query_response":${PAID},"alipay_trade_query_response":{"code":"10000"},"sign":"${signed(PAID)}"}`,
  ],
  ['a failure of the gateway', `{"error_response":{"code":"40002"},"sign":"${signed('{"code":"40002"}')}"}`],
  ['no JSON', 'bad gateway'],
])('rejects a response with %s', async (_name, text) => {
  response = text;
  await expect(query()).rejects.toThrow();
});

test('accepts callback fields only with the signature over all of them', () => {
  const fields = { app_id: '2021', body: '', out_trade_no: '1', total_amount: '9.90' };
  const sign = signed('app_id=2021&body=&out_trade_no=1&total_amount=9.90');
  const callback = { ...fields, sign, sign_type: 'RSA2' };
  expect(client().isSigned(callback)).toBe(true);
  expect(client().isSigned({ ...callback, total_amount: '99.00' })).toBe(false);
  expect(client().isSigned({ ...callback, seller_id: '2088' })).toBe(false);
  expect(client().isSigned(fields)).toBe(false);
});
