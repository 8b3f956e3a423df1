import { GiftOutlined } from '@ant-design/icons';
import { FLAG } from '@mozhan/contract/enums.ts';
import type { Member } from '@mozhan/contract/members.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { GrantForm } from '#admin/features/member/grant-form.tsx';
import { Plans } from '#admin/features/member/plans.tsx';
import { TermsDrawer } from '#admin/features/member/terms-drawer.tsx';
import { formatDateTime } from '#admin/lib/format.ts';
import { usePlace } from '#admin/lib/navigation.tsx';
import { useCan } from '#admin/lib/viewer.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { PersonLink } from '#admin/ui/person-link.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

const memberTab = { key: 'member', label: '会员', to: '/member' };
const planTab = { key: 'plan', label: '会员方案', to: '/member?tab=plan' };

const filters: Filter[] = [
  { name: 'expired', label: '到期', options: [{ value: String(FLAG.on), label: '已到期的' }] },
  {
    name: 'days',
    label: '离到期',
    options: [7, 30, 90].map((days) => ({ value: String(days), label: `${days} 天以内` })),
  },
];

const columns: Column<Member>[] = [
  {
    key: 'user',
    title: '会员',
    text: (row) => row.displayName,
    show: (row) => <PersonLink user={row} />,
  },
  { key: 'memberSince', title: '开始', text: (row) => formatDateTime(row.memberSince) },
  { key: 'memberUntil', title: '到期', text: (row) => formatDateTime(row.memberUntil), sort: 'memberUntil' },
];

interface Granting {
  rows: Member[] | 'new';
  /** Which ones stay chosen. */
  choose?: (left?: Member[]) => void;
}

export function Page() {
  const can = useCan();
  const wanted = usePlace().search.get('tab');
  const [granting, setGranting] = useState<Granting>();
  const [shown, setShown] = useState<Member>();
  const mayList = can('member:list');
  const mayGrant = can('member:update');
  const tab = wanted === 'plan' || !mayList ? 'plan' : 'member';

  return (
    <Screen
      title="会员与方案"
      intro={tab === 'plan' ? '读者按这里的顺序看到方案；再买一次接着延长' : '到期晚的在前'}
      actions={
        tab === 'member' && mayGrant ? (
          <Button icon={<GiftOutlined aria-hidden />} onClick={() => setGranting({ rows: 'new' })}>
            赠送会员
          </Button>
        ) : null
      }
    >
      <LinkTabs label="内容" tabs={mayList ? [memberTab, planTab] : [planTab]} selected={tab} />
      {tab === 'plan' ? (
        <Plans />
      ) : (
        <DataTable
          name="member"
          title="会员"
          route="GET core/member/user"
          columns={columns}
          keyword="昵称、账号或邮箱的开头"
          filters={filters}
          batch={(rows, choose) =>
            mayGrant ? (
              <Button size="small" onClick={() => setGranting({ rows, choose })}>
                赠送
              </Button>
            ) : null
          }
          actions={(row) => (
            <RowActions
              name={row.displayName}
              actions={[
                { label: '来历', onClick: () => setShown(row) },
                mayGrant && { label: '赠送', onClick: () => setGranting({ rows: [row] }) },
              ]}
            />
          )}
        />
      )}
      <GrantForm
        subject={granting?.rows}
        onClose={() => setGranting(undefined)}
        onLeft={(left) => granting?.choose?.(left)}
      />
      <TermsDrawer subject={shown} onClose={() => setShown(undefined)} />
    </Screen>
  );
}
