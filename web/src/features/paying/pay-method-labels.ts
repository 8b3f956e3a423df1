import type { PayBy } from '@mozhan/contract/prices.ts';

export const payMethodLabels: Record<PayBy, string> = {
  balance: '余额',
  alipay: '支付宝',
  wechat: '微信支付',
  sandbox: '演示收银台',
};
