import { FLAG, type Flag, toFlag } from '@mozhan/contract/enums.ts';
import type { StaffUser } from '@mozhan/contract/system.ts';
import { Select, Switch } from 'antd';
import { useState } from 'react';
import { UserBatch } from '#admin/features/user/batch.tsx';
import { ClearForm } from '#admin/features/user/clear-form.tsx';
import { UserDrawer } from '#admin/features/user/user-drawer.tsx';
import { type Identity, identities, identityEffects, userFilters } from '#admin/features/user/words.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDate, formatDateTime, orDash } from '#admin/lib/format.ts';
import { useAct } from '#admin/lib/queries.ts';
import { useCan, useViewer } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { DataTable } from '#admin/ui/data-table.tsx';
import { enabledText } from '#admin/ui/enabled-tag.tsx';
import { Person } from '#admin/ui/person.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

const identityOptions = [
  { value: 1 as const, label: identities[1] },
  { value: 2 as const, label: identities[2] },
];

const figure = (
  key: 'essays' | 'followers' | 'reads' | 'likes',
  title: string,
  more: Partial<Column<StaffUser>>,
): Column<StaffUser> => ({
  key,
  title,
  align: 'end',
  text: (row) => String(row.counters[key]),
  show: (row) => row.counters[key].toLocaleString('zh-CN'),
  ...more,
});

export function Page() {
  const { basePath } = useApp();
  const { user } = useViewer();
  const mayUpdate = useCan()('user:update');
  const act = useAct();
  const confirm = useConfirm();
  const [opened, setOpened] = useState<StaffUser>();
  const [clearing, setClearing] = useState<StaffUser>();

  async function setIdentity(row: StaffUser, curIdentity: Identity): Promise<void> {
    const title = `把「${row.displayName}」设为${identities[curIdentity]}？`;
    if (!(await confirm({ title, text: identityEffects[curIdentity] }))) return;
    await act(
      (api) => api('PUT core/sys/user/', { id: row.id, curIdentity }),
      `已把「${row.displayName}」设为${identities[curIdentity]}`,
    );
  }

  async function setEnabled({ id, displayName }: StaffUser, enabled: Flag): Promise<void> {
    const question = {
      title: `停用「${displayName}」？`,
      text: '停用后不能登录，现有的登录立即失效。',
      action: '停用',
      danger: true,
    };
    if (enabled === FLAG.off && !(await confirm(question))) return;
    await act(
      (api) => api('PUT core/sys/user/', { id, enabled }),
      `已${enabledText(enabled)}「${displayName}」`,
    );
  }

  const columns: Column<StaffUser>[] = [
    {
      key: 'displayName',
      title: '昵称',
      text: (row) => row.displayName,
      show: (row) => (
        <a href={`${basePath}/user/home/${row.id}.html`}>
          <Person name={row.displayName} headImg={row.headImg} note={row.account} />
        </a>
      ),
    },
    { key: 'account', title: '账号', text: (row) => row.account, hidden: true },
    {
      key: 'curIdentity',
      title: '身份',
      text: (row) => identities[row.curIdentity],
      show: (row) =>
        mayUpdate ? (
          <Select
            size="small"
            variant="filled"
            value={row.curIdentity}
            options={identityOptions}
            aria-label={`身份：${row.displayName}`}
            onChange={(value) => void setIdentity(row, value)}
          />
        ) : (
          identities[row.curIdentity]
        ),
    },
    { key: 'isMember', title: '会员', text: (row) => (row.isMember ? '会员' : '-') },
    {
      key: 'memberUntil',
      title: '会员到期',
      text: (row) => (row.memberUntil === null ? '-' : formatDate(row.memberUntil)),
      hidden: true,
    },
    figure('essays', '文章', { sort: 'essays' }),
    figure('followers', '粉丝', { sort: 'followers' }),
    figure('reads', '阅读', { sort: 'reads' }),
    figure('likes', '获赞', { hidden: true }),
    { key: 'region', title: '属地', text: (row) => orDash(row.region) },
    { key: 'createdAt', title: '注册时间', text: (row) => formatDateTime(row.createdAt), sort: 'createdAt' },
    {
      key: 'enabled',
      title: '启用',
      text: (row) => enabledText(row.enabled),
      show: (row) => (
        <Switch
          size="small"
          checked={row.enabled === FLAG.on}
          disabled={!mayUpdate || row.id === user.id}
          aria-label={`启用：${row.displayName}`}
          onChange={(checked) => void setEnabled(row, toFlag(checked))}
        />
      ),
    },
  ];

  return (
    <Screen title="用户管理" intro="在网站上注册的人，新来的在前">
      <DataTable
        name="user"
        title="用户"
        route="GET core/sys/user/"
        columns={columns}
        keyword="昵称，或账号、邮箱的开头"
        filters={userFilters}
        actions={(row) => (
          <RowActions
            name={row.displayName}
            actions={[
              { label: '详情', onClick: () => setOpened(row) },
              mayUpdate && { label: '清空资料', onClick: () => setClearing(row) },
            ]}
          />
        )}
        batch={(rows, choose) => {
          const others = rows.filter((row) => row.id !== user.id);
          return mayUpdate ? <UserBatch rows={others} choose={choose} /> : null;
        }}
      />
      <UserDrawer
        subject={opened}
        onClose={() => setOpened(undefined)}
        onClear={mayUpdate ? () => setClearing(opened) : undefined}
      />
      <ClearForm subject={clearing} onClose={() => setClearing(undefined)} />
    </Screen>
  );
}
