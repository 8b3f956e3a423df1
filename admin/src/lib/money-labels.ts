import type { OrderKind } from '@mozhan/contract/orders.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';

export const orderKinds: Record<OrderKind, string> = {
  recharge: '充值',
  read: '文章',
  column: '专栏',
  reward: '打赏',
  member: '会员',
};

export const payByNames: Record<PayBy, string> = {
  balance: '余额',
  alipay: '支付宝',
  wechat: '微信支付',
  sandbox: '演示收银台',
};

/** Also names the providers of clearing accounts: 支付宝, 银行. */
export const nameOfProvider = (provider: string): string =>
  (({ ...payByNames, bank: '银行' }) as Record<string, string>)[provider] ?? provider;
