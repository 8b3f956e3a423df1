import type { Services } from '../../../../ctx.ts';
import { createAlipay } from './alipay.ts';
import type { Providers } from './provider.ts';
import { createSandbox } from './sandbox.ts';
import { createWechat } from './wechat.ts';

export function createProviders(services: Omit<Services, 'providers'>): Providers {
  const { alipay, wechatPay, paySandbox } = services.config;
  return {
    ...(alipay === null ? {} : { alipay: createAlipay(services, alipay) }),
    ...(wechatPay === null ? {} : { wechat: createWechat(services, wechatPay) }),
    ...(paySandbox ? { sandbox: createSandbox(services) } : {}),
  };
}
