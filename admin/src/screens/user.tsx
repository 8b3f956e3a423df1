import { FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import type { StaffUser } from '@mozhan/contract/system.ts';
import { Select } from 'antd';
import { clearForm } from '#admin/features/user/clear-form.tsx';
import { type Identity, identities, identityEffects } from '#admin/features/user/labels.ts';
import { UserQuotaForm } from '#admin/features/user/quota-form.tsx';
import { UserDrawer } from '#admin/features/user/user-drawer.tsx';
import { formatDate } from '#admin/lib/format.ts';
import { useAction } from '#admin/lib/queries.ts';
import { useCan, useViewer } from '#admin/lib/viewer.ts';
import { figure, text, time } from '#admin/ui/columns.tsx';
import { useConfirm } from '#admin/ui/confirm.ts';
import { dayFilters, enabledFilter } from '#admin/ui/filters.tsx';
import { optionsOf } from '#admin/ui/labels.tsx';
import { paged } from '#admin/ui/lists.ts';
import { Person } from '#admin/ui/person.tsx';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import type { RowAction } from '#admin/ui/row-actions.tsx';
import { SiteLink } from '#admin/ui/site-link.tsx';

const identityOptions = ([IDENTITY.reader, IDENTITY.writer] as const).map((value) => ({
  value,
  label: identities[value],
}));

/** A select that saves immediately; plain text without the permission. */
function IdentityChoice({ user: { id, displayName, curIdentity } }: { user: StaffUser }) {
  const act = useAction();
  const confirm = useConfirm();
  const mayUpdate = useCan()('user:update');
  if (!mayUpdate) return identities[curIdentity];

  async function choose(identity: Identity): Promise<void> {
    const title = `把「${displayName}」设为${identities[identity]}？`;
    if (!(await confirm({ title, text: identityEffects[identity] }))) return;
    await act(
      (api) => api('PUT core/sys/user/', { id, curIdentity: identity }),
      `已把「${displayName}」设为${identities[identity]}`,
    );
  }

  return (
    <Select
      size="small"
      variant="filled"
      value={curIdentity}
      options={identityOptions}
      aria-label={`身份：${displayName}`}
      onChange={(identity) => void choose(identity)}
    />
  );
}

const identityAction = (curIdentity: Identity): RowAction<StaffUser> => ({
  label: `设为${identities[curIdentity]}`,
  permission: 'user:update',
  bulkOnly: true,
  when: (row) => row.curIdentity !== curIdentity,
  run: (api, { id }) => api('PUT core/sys/user/', { id, curIdentity }),
  bulk: {
    ask: ({ length }) => ({
      title: `把这 ${length} 位用户设为${identities[curIdentity]}？`,
      text: identityEffects[curIdentity],
      action: '确定',
    }),
  },
});

export function Page() {
  const { user } = useViewer();
  return (
    <ResourceScreen
      name="user"
      title="用户管理"
      intro="在网站上注册的人，新来的在前"
      noun="用户"
      unit="位"
      list={paged('GET core/sys/user/')}
      columns={[
        {
          key: 'displayName',
          title: '昵称',
          text: (row) => row.displayName,
          show: (row) => (
            <SiteLink to={`/user/home/${row.id}.html`}>
              <Person name={row.displayName} headImg={row.headImg} note={row.account} />
            </SiteLink>
          ),
        },
        text('account', '账号', { hidden: true }),
        {
          key: 'curIdentity',
          title: '身份',
          text: (row) => identities[row.curIdentity],
          show: (row) => <IdentityChoice user={row} />,
        },
        { key: 'isMember', title: '会员', text: (row) => (row.isMember ? '会员' : '-') },
        {
          key: 'memberUntil',
          title: '会员到期',
          text: (row) => (row.memberUntil === null ? '-' : formatDate(row.memberUntil)),
          hidden: true,
        },
        figure.of('essays', '文章', (row: StaffUser) => row.counters.essays, { sort: true }),
        figure.of('followers', '粉丝', (row: StaffUser) => row.counters.followers, { sort: true }),
        figure.of('reads', '阅读', (row: StaffUser) => row.counters.reads, { sort: true }),
        figure.of('likes', '获赞', (row: StaffUser) => row.counters.likes, { hidden: true }),
        text('region', '属地'),
        time('createdAt', '注册时间', { sort: true }),
        'enabled',
      ]}
      keyword="昵称，或账号、邮箱的开头"
      filters={[
        { name: 'curIdentity', label: '身份', options: optionsOf(identities) },
        {
          name: 'isMember',
          label: '会员',
          options: [
            { value: String(FLAG.on), label: '是会员' },
            { value: String(FLAG.off), label: '不是会员' },
          ],
        },
        enabledFilter,
        ...dayFilters,
      ]}
      update={{
        permission: 'user:update',
        run: (api, { id, enabled }) => api('PUT core/sys/user/', { id, enabled }),
        disableText: '停用后不能登录，现有的登录立即失效。',
      }}
      rowActions={[
        { label: '详情', panel: (props) => <UserDrawer {...props} /> },
        { label: '上传空间', permission: 'media:update', panel: (props) => <UserQuotaForm {...props} /> },
        { label: '清空资料', permission: 'user:update', panel: clearForm },
        identityAction(IDENTITY.writer),
        identityAction(IDENTITY.reader),
      ]}
      // Staff cannot disable their own account.
      exempt={({ id }) => id === user.id}
    />
  );
}
