import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import type { PriceRules } from '@mozhan/contract/prices.ts';
import type { Field } from '#admin/ui/fields.tsx';
import { amountOf } from '#admin/ui/fields.tsx';
import { tierBounds } from './tiers.ts';

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
  { name: 'rewardMin', label: '打赏最少', kind: 'money', ...tierBounds.reward },
  { name: 'rewardMax', label: '打赏最多', kind: 'money', ...tierBounds.reward },
  { name: 'rechargeMin', label: '充值最少', kind: 'money', ...tierBounds.recharge },
  { name: 'rechargeMax', label: '充值最多', kind: 'money', ...tierBounds.recharge },
  {
    name: 'commissionPercent',
    label: '平台抽成',
    kind: 'percent',
    min: 0,
    max: 90,
    help: '售出与打赏中归平台的部分；会员费全部归平台',
  },
  { name: 'withdrawMin', label: '提现最少', kind: 'money', min: 100, max: 1_000_000 },
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

/** As the form holds them: amounts as they are typed. */
export type RuleValues = Record<Name, string | number>;

export const toValues = (stored: PriceRules): RuleValues =>
  Object.fromEntries(
    rules.map(({ name, kind }) => [name, kind === 'money' ? toYuan(stored[name]) : stored[name]]),
  ) as RuleValues;

export const fromValues = (values: RuleValues): PriceRules =>
  Object.fromEntries(
    rules.map(({ name, kind }) => [
      name,
      kind === 'money' ? amountOf(String(values[name])) : Number(values[name]),
    ]),
  ) as PriceRules;

/** The least stays below the most. */
const above = (values: RuleValues, least: Name) => ({
  validator: async (_: unknown, typed: string) => {
    if (amountOf(typed) < amountOf(String(values[least]))) throw new Error('不能少于最少的');
  },
});

const lower: Partial<Record<Name, Name>> = { rewardMax: 'rewardMin', rechargeMax: 'rechargeMin' };

export const ruleFields = (values: RuleValues): Field<RuleValues>[] =>
  rules.map(({ name, label, kind, min, max, help }): Field<RuleValues> => {
    const common = { name, label, min, max, ...(help !== undefined && { help }) };
    const least = lower[name];
    if (kind === 'money')
      return { ...common, kind: 'money', rules: least === undefined ? [] : [above(values, least)] };
    return { ...common, kind: 'number', required: true, suffix: kind === 'percent' ? '%' : '天' };
  });
