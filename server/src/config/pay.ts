import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { trimEnd } from '@mozhan/contract/text-scan.ts';
import { z } from 'zod';
import { type ReportProblem, requireAllOrNone } from './all-or-none.ts';

const PRIVATE_KEY = '应是 RSA 私钥：PEM、Base64，或它的文件路径';
const PUBLIC_KEY = '应是 RSA 公钥：PEM、Base64，或它的文件路径';

const isBase64 = (text: string): boolean => text.length >= 200 && /^[A-Za-z0-9+/=\s]+$/.test(text);

/** Accepts the key itself, also with `\n` escaped, or the path of a file. */
function readKeyText(given: string): string {
  if (given.includes('-----BEGIN')) return given.replaceAll('\\n', '\n');
  if (isBase64(given)) return given;
  return readFileSync(given, 'utf8');
}

const toDer = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'base64');

function parsePrivateKey(text: string): KeyObject {
  if (text.includes('-----BEGIN')) return createPrivateKey(text);
  const key = toDer(text);
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  } catch {
    return createPrivateKey({ key, format: 'der', type: 'pkcs1' });
  }
}

function parsePublicKey(text: string): KeyObject {
  if (text.includes('-----BEGIN CERTIFICATE')) return new X509Certificate(text).publicKey;
  if (text.includes('-----BEGIN')) return createPublicKey(text);
  return createPublicKey({ key: toDer(text), format: 'der', type: 'spki' });
}

const rsaKey = (parse: (text: string) => KeyObject, problem: string) =>
  z.string().transform((given, context): KeyObject => {
    try {
      const key = parse(readKeyText(given));
      if (key.asymmetricKeyType === 'rsa') return key;
    } catch {
      // Reported below without the value, which may be secret.
    }
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });

const privateKey = rsaKey(parsePrivateKey, PRIVATE_KEY);
const publicKey = rsaKey(parsePublicKey, PUBLIC_KEY);
const gateway = z.url({ protocol: /^https?$/, error: '应是以 http:// 或 https:// 开头的网址' });

export const payEnvironment = {
  ALIPAY_APP_ID: z.string().regex(/^\d+$/, '应是一串数字').optional(),
  ALIPAY_PRIVATE_KEY: privateKey.optional(),
  ALIPAY_PUBLIC_KEY: publicKey.optional(),
  ALIPAY_GATEWAY: gateway.default('https://openapi.alipay.com/gateway.do'),
  WECHAT_PAY_APP_ID: z.string().optional(),
  WECHAT_PAY_APP_SECRET: z.string().optional(),
  WECHAT_PAY_MCH_ID: z.string().regex(/^\d+$/, '应是一串数字').optional(),
  WECHAT_PAY_SERIAL: z
    .string()
    .regex(/^[0-9A-Fa-f]+$/, '应是商户 API 证书的序列号')
    .transform((value) => value.toUpperCase())
    .optional(),
  WECHAT_PAY_PRIVATE_KEY: privateKey.optional(),
  WECHAT_PAY_KEY: z
    .string()
    .refine((value) => Buffer.byteLength(value) === 32, '应是 32 个字符的 APIv3 密钥')
    .optional(),
  WECHAT_PAY_PUBLIC_KEY: publicKey.optional(),
  WECHAT_PAY_PUBLIC_KEY_ID: z.string().startsWith('PUB_KEY_ID_', '应以 PUB_KEY_ID_ 开头').optional(),
  WECHAT_PAY_GATEWAY: gateway
    .transform((value) => trimEnd(value, '/'))
    .default('https://api.mch.weixin.qq.com'),
  WECHAT_API_GATEWAY: gateway.transform((value) => trimEnd(value, '/')).default('https://api.weixin.qq.com'),
};

type PayEnvironment = z.output<z.ZodObject<typeof payEnvironment>>;

export interface AlipayConfig {
  appId: string;
  privateKey: KeyObject;
  /** Alipay's public key, not the counterpart of `privateKey`. */
  publicKey: KeyObject;
  gateway: string;
}

export interface WechatPayConfig {
  appId: string;
  appSecret: string;
  mchId: string;
  serial: string;
  privateKey: KeyObject;
  /** The API v3 key of 32 bytes. */
  key: string;
  /** WeChat Pay's public key; null: its certificates are downloaded. */
  publicKey: { id: string; key: KeyObject } | null;
  gateway: string;
  /** Exchanges the code of the authorisation page. */
  apiGateway: string;
}

export function readAlipay(e: PayEnvironment, reportProblem: ReportProblem): AlipayConfig | null {
  const { ALIPAY_APP_ID, ALIPAY_PRIVATE_KEY, ALIPAY_PUBLIC_KEY } = e;
  const given = requireAllOrNone({ ALIPAY_APP_ID, ALIPAY_PRIVATE_KEY, ALIPAY_PUBLIC_KEY }, reportProblem);
  if (given === null) return null;
  return {
    appId: given.ALIPAY_APP_ID,
    privateKey: given.ALIPAY_PRIVATE_KEY,
    publicKey: given.ALIPAY_PUBLIC_KEY,
    gateway: e.ALIPAY_GATEWAY,
  };
}

export function readWechatPay(e: PayEnvironment, reportProblem: ReportProblem): WechatPayConfig | null {
  const { WECHAT_PAY_APP_ID, WECHAT_PAY_APP_SECRET, WECHAT_PAY_MCH_ID, WECHAT_PAY_SERIAL } = e;
  const { WECHAT_PAY_PRIVATE_KEY, WECHAT_PAY_KEY, WECHAT_PAY_PUBLIC_KEY, WECHAT_PAY_PUBLIC_KEY_ID } = e;
  const publicKey = requireAllOrNone({ WECHAT_PAY_PUBLIC_KEY, WECHAT_PAY_PUBLIC_KEY_ID }, reportProblem);
  const given = requireAllOrNone(
    {
      WECHAT_PAY_APP_ID,
      WECHAT_PAY_APP_SECRET,
      WECHAT_PAY_MCH_ID,
      WECHAT_PAY_SERIAL,
      WECHAT_PAY_PRIVATE_KEY,
      WECHAT_PAY_KEY,
    },
    reportProblem,
  );
  if (given === null) {
    if (publicKey !== null) reportProblem('WECHAT_PAY_PUBLIC_KEY', '只设置了它，还缺少 WECHAT_PAY_APP_ID 等');
    return null;
  }
  return {
    appId: given.WECHAT_PAY_APP_ID,
    appSecret: given.WECHAT_PAY_APP_SECRET,
    mchId: given.WECHAT_PAY_MCH_ID,
    serial: given.WECHAT_PAY_SERIAL,
    privateKey: given.WECHAT_PAY_PRIVATE_KEY,
    key: given.WECHAT_PAY_KEY,
    publicKey:
      publicKey === null
        ? null
        : { id: publicKey.WECHAT_PAY_PUBLIC_KEY_ID, key: publicKey.WECHAT_PAY_PUBLIC_KEY },
    gateway: e.WECHAT_PAY_GATEWAY,
    apiGateway: e.WECHAT_API_GATEWAY,
  };
}
