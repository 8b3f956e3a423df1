import type { Services } from '../../../../ctx.ts';
import type { Providers } from './provider.ts';
import { createSandbox } from './sandbox.ts';
import { createWechat } from './wechat.ts';

/** Those that are configured. */
export async function createProviders(services: Omit<Services, 'providers'>): Promise<Providers> {
  const { alipay, wechatPay, paySandbox } = services.config;
  return {
    // Its package is only read where it is used.
    ...(alipay === null ? {} : { alipay: (await import('./alipay.ts')).createAlipay(services, alipay) }),
    ...(wechatPay === null ? {} : { wechat: createWechat(services, wechatPay) }),
    ...(paySandbox ? { sandbox: createSandbox(services) } : {}),
  };
}
