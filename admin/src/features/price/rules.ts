import { formatYuan } from '@mozhan/contract/money.ts';
import type { PriceRules } from '@mozhan/contract/prices.ts';
import type { Field } from '#admin/ui/fields.tsx';
import { tierKinds } from './tiers.ts';

type Name = keyof PriceRules;
type Kind = 'money' | 'percent' | 'days';

interface Rule {
  name: Name;
  label: string;
  kind: Kind;
  min: number;
  max: number;
  help?: string;
}

export const rules: Rule[] = [
  { name: 'rewardMin', label: '打赏下限', kind: 'money', ...tierKinds.reward.bounds },
  { name: 'rewardMax', label: '打赏上限', kind: 'money', ...tierKinds.reward.bounds },
  { name: 'rechargeMin', label: '充值下限', kind: 'money', ...tierKinds.recharge.bounds },
  { name: 'rechargeMax', label: '充值上限', kind: 'money', ...tierKinds.recharge.bounds },
  {
    name: 'commissionPercent',
    label: '平台服务费',
    kind: 'percent',
    min: 0,
    max: 90,
    help: '售出与打赏中归平台的部分；会员费全部归平台',
  },
  { name: 'withdrawMin', label: '提现下限', kind: 'money', min: 100, max: 1_000_000 },
  {
    name: 'refundDays',
    label: '可退款的天数',
    kind: 'days',
    min: 0,
    max: 365,
    help: '支付后多少天内可以退款',
  },
  {
    name: 'inviteDays',
    label: '邀请奖励',
    kind: 'days',
    min: 0,
    max: 366,
    help: '被邀请的人第一次付款后，双方各得的会员天数；0 为不奖励',
  },
];

export const textOfRule = ({ name, kind }: Rule, values: PriceRules): string => {
  const value = values[name];
  if (kind === 'money') return formatYuan(value);
  return kind === 'percent' ? `${value}%` : `${value} 天`;
};

/** Removes other properties of the stored object. */
export const pickRules = (stored: PriceRules): PriceRules =>
  Object.fromEntries(rules.map(({ name }) => [name, stored[name]])) as unknown as PriceRules;

/** Form rule: the maximum must not be below the minimum. */
const notBelow = (least: number) => ({
  validator: async (_: unknown, most: number) => {
    if (most < least) throw new Error('上限不能低于下限');
  },
});

const lowerBoundOf: Partial<Record<Name, Name>> = { rewardMax: 'rewardMin', rechargeMax: 'rechargeMin' };

export const ruleFields = (values: PriceRules): Field<PriceRules>[] =>
  rules.map(({ name, label, kind, min, max, help }): Field<PriceRules> => {
    const common = { name, label, min, max, ...(help !== undefined && { help }) };
    const least = lowerBoundOf[name];
    if (kind === 'money')
      return { ...common, kind: 'money', rules: least === undefined ? [] : [notBelow(values[least])] };
    return { ...common, kind: 'number', required: true, suffix: kind === 'percent' ? '%' : '天' };
  });
