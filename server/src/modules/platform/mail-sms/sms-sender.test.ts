import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../config/config.ts';
import { startTestAliyunSms, type TestAliyunSms } from '../../../testing/aliyun-sms.ts';
import { signRequest } from './sms-aliyun.ts';
import { createSmsSender } from './sms-sender.ts';

let aliyun: TestAliyunSms;
beforeAll(async () => {
  aliyun = await startTestAliyunSms();
});
afterAll(() => aliyun.close());

const config = readConfig({});
const failOnPrint = () => {
  throw new Error('unexpected print');
};

test('signs a request like the example in Aliyun’s documentation', () => {
  const endpoint = 'https://ecs.cn-shanghai.aliyuncs.com';
  const { url, headers } = signRequest(
    { accessKeyId: 'YourAccessKeyId', accessKeySecret: 'YourAccessKeySecret', endpoint },
    {
      action: 'RunInstances',
      version: '2014-05-26',
      parameters: {
        RegionId: 'cn-shanghai',
        ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd',
      },
      at: new Date('2023-10-26T10:22:32.000Z'),
      nonce: '3156853299f313e23d1673dc12e1703d',
    },
  );
  expect(url).toBe(
    `${endpoint}/?ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai`,
  );
  expect(headers.authorization).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  );
});

test('sends codes by Aliyun, and reports its errors without the secret', async () => {
  const { send } = createSmsSender({ ...config, sms: aliyun.config }, failOnPrint) ?? {};
  const sms = { to: '13800138000', code: '012345' };
  await send?.(sms);
  expect(aliyun.sent).toEqual([sms]);

  aliyun.faults.refuses = true;
  await expect(send?.(sms)).rejects.toThrow('isv.SMS_SIGNATURE_ILLEGAL 该账号下找不到对应签名');
  aliyun.faults.refuses = false;
  aliyun.faults.down = true;
  await expect(send?.(sms)).rejects.toThrow('status 502');
  aliyun.faults.down = false;
  const forger = { ...aliyun.config, accessKeySecret: 'another' };
  const forged = createSmsSender({ ...config, sms: forger }, failOnPrint)?.send(sms);
  await expect(forged).rejects.toThrow(/SignatureDoesNotMatch(?!.*another)/);
  expect(aliyun.sent).toHaveLength(1);
});

test('prints codes in development without Aliyun, and has no sender in production', async () => {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  await createSmsSender({ ...config, dev: true }, print)?.send({ to: '13800138000', code: '012345' });
  expect(printed).toEqual(['短信 → 13800138000：验证码 012345']);
  expect(createSmsSender(config, print)).toBeNull();
});
