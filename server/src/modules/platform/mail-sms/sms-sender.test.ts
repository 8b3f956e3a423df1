import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../config/config.ts';
import { type AliyunSms, startAliyunSms } from '../../../testing/aliyun-sms.ts';
import { signedRequest } from './sms-aliyun.ts';
import { createSmsSender } from './sms-sender.ts';

let aliyun: AliyunSms;
beforeAll(async () => {
  aliyun = await startAliyunSms();
});
afterAll(() => aliyun.close());

const config = readConfig({});
const nobody = () => {
  throw new Error('nothing is to be printed');
};

test('a request is signed as the example of Aliyun’s documents', () => {
  const endpoint = 'https://ecs.cn-shanghai.aliyuncs.com';
  const { url, headers } = signedRequest(
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

test('Aliyun takes what we send, and what it says against it is named without the secret', async () => {
  const { send } = createSmsSender({ ...config, sms: aliyun.config }, nobody) ?? {};
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
  const forged = createSmsSender({ ...config, sms: forger }, nobody)?.send(sms);
  await expect(forged).rejects.toThrow(/SignatureDoesNotMatch(?!.*another)/);
  expect(aliyun.sent).toHaveLength(1);
});

test('without Aliyun codes are printed while developing, and otherwise not sent at all', async () => {
  const printed: string[] = [];
  const print = (sentence: string) => void printed.push(sentence);
  await createSmsSender({ ...config, dev: true }, print)?.send({ to: '13800138000', code: '012345' });
  expect(printed).toEqual(['短信 → 13800138000：验证码 012345']);
  expect(createSmsSender(config, print)).toBeNull();
});
