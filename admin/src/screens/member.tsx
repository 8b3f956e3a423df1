import { GiftOutlined } from '@ant-design/icons';
import { FLAG } from '@mozhan/contract/enums.ts';
import type { Member } from '@mozhan/contract/members.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { GrantForm } from '#admin/features/member/grant-form.tsx';
import { TermsDrawer } from '#admin/features/member/terms-drawer.tsx';
import { useLocation } from '#admin/lib/navigation.tsx';
import { useCan } from '#admin/lib/viewer.ts';
import { count, money, person, text, time } from '#admin/ui/columns.tsx';
import { enabledFilter } from '#admin/ui/filters.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { paged, unpagedFrom } from '#admin/ui/lists.ts';
import { NO_AMOUNT } from '#admin/ui/money-input.tsx';
import { ResourceTable } from '#admin/ui/resource-screen.tsx';
import { Screen } from '#admin/ui/screen.tsx';

const memberTab = { key: 'member', label: '会员', to: '/member' };
const planTab = { key: 'plan', label: '会员方案', to: '/member?tab=plan' };

const Members = () => (
  <ResourceTable
    name="member"
    noun="会员"
    list={paged('GET core/member/user')}
    columns={[
      person.of('user', '会员', (row: Member) => row),
      time('memberSince', '开始'),
      time('memberUntil', '到期', { sort: true }),
    ]}
    keyword="昵称、账号或邮箱的开头"
    filters={[
      { name: 'expired', label: '到期', options: [{ value: String(FLAG.on), label: '已到期的' }] },
      {
        name: 'days',
        label: '离到期',
        options: [7, 30, 90].map((days) => ({ value: String(days), label: `${days} 天以内` })),
      },
    ]}
    rowActions={[
      { label: '来历', panel: (props) => <TermsDrawer {...props} /> },
      {
        label: '赠送',
        permission: 'member:update',
        bulk: true,
        panel: ({ rows, onClose, onRemaining }) => (
          <GrantForm open={rows.length > 0} members={rows} onClose={onClose} onRemaining={onRemaining} />
        ),
      },
    ]}
  />
);

const Plans = () => (
  <ResourceTable
    name="plan"
    noun="会员方案"
    list={unpagedFrom('GET core/member/', ({ plans }) => plans, { all: FLAG.on })}
    columns={[text('name', '名称'), count('days', '天数'), money('price', '价格（元）'), 'order', 'enabled']}
    keyword="搜索名称"
    filters={[enabledFilter]}
    form={{
      title: (row) => (row === undefined ? '新建会员方案' : `编辑方案「${row.name}」`),
      values: (row) => ({
        name: row?.name ?? '',
        days: row?.days ?? 30,
        price: row?.price ?? NO_AMOUNT,
        enabled: row?.enabled ?? FLAG.on,
      }),
      fields: [
        { name: 'name', kind: 'text', label: '名称', required: true, maxLength: 20 },
        { name: 'days', kind: 'number', label: '天数', required: true, min: 1, max: 3660, suffix: '天' },
        { name: 'price', kind: 'money', label: '价格', min: 100, max: 1_000_000, help: '已有的订单不变' },
        { name: 'enabled', kind: 'flag', label: '启用', help: '停用后不能再买' },
      ],
    }}
    create={{
      permission: 'plan:create',
      label: '新建方案',
      run: (api, values) => api('POST core/member/', values),
      done: ({ name }) => `已新建方案「${name}」`,
    }}
    update={{ permission: 'plan:update', run: (api, change) => api('PUT core/member/', change) }}
    remove={{
      permission: 'plan:remove',
      run: (api, { id }) => api('DELETE core/member/', { id }),
      text: '不能再买；已有的订单与会员期不变。',
    }}
  />
);

export function Page() {
  const can = useCan();
  const requested = useLocation().search.get('tab');
  const [isGranting, setGranting] = useState(false);
  const mayList = can('member:list');
  const isPlans = requested === 'plan' || !mayList;
  return (
    <Screen
      title="会员与方案"
      intro={isPlans ? '读者按这里的顺序看到方案；再买一次接着延长' : '到期晚的在前'}
      actions={
        !isPlans && can('member:update') ? (
          <Button icon={<GiftOutlined aria-hidden />} onClick={() => setGranting(true)}>
            赠送会员
          </Button>
        ) : null
      }
    >
      <LinkTabs
        label="内容"
        tabs={mayList ? [memberTab, planTab] : [planTab]}
        selected={isPlans ? 'plan' : 'member'}
      />
      {isPlans ? <Plans /> : <Members />}
      <GrantForm open={isGranting} members={[]} onClose={() => setGranting(false)} />
    </Screen>
  );
}
