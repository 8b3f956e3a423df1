import type { PayBy } from '@mozhan/contract/prices.ts';

/** The ways to pay, as they are called everywhere. */
export const wayNames: Record<PayBy, string> = {
  balance: '余额',
  alipay: '支付宝',
  wechat: '微信支付',
  sandbox: '演示收银台',
};
