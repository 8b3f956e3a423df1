import { Button, Select, Switch } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { useAct } from '#admin/lib/queries.ts';
import { useCan, useViewer } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { DataTable } from '#admin/ui/data-table.tsx';
import { enabledText } from '#admin/ui/enabled-tag.tsx';
import { Person } from '#admin/ui/person.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import type { StaffUser } from '#contract/system.ts';

const identities = { 1: '读者', 2: '作者' };
const identityOptions = [
  { value: 1 as const, label: identities[1] },
  { value: 2 as const, label: identities[2] },
];

export function Page() {
  const { basePath } = useApp();
  const { user } = useViewer();
  const mayUpdate = useCan()('user:update');
  const act = useAct();
  const confirm = useConfirm();

  async function setIdentity(row: StaffUser, curIdentity: 1 | 2): Promise<void> {
    const title = `把「${row.displayName}」设为${identities[curIdentity]}？`;
    const text = curIdentity === 2 ? '作者可以写文章。' : '读者不能再写文章，已有的文章不受影响。';
    if (!(await confirm({ title, text }))) return;
    await act(
      (api) => api('PUT core/sys/user/', { id: row.id, curIdentity }),
      `已把「${row.displayName}」设为${identities[curIdentity]}`,
    );
  }

  async function setEnabled(rows: StaffUser[], enabled: 0 | 1): Promise<boolean> {
    const [first] = rows;
    const whom = rows.length === 1 ? `「${first?.displayName}」` : `这 ${rows.length} 位用户`;
    const question = {
      title: `停用${whom}？`,
      text: '停用后不能登录，现有的登录立即失效。',
      action: '停用',
      danger: true,
    };
    if (enabled === 0 && !(await confirm(question))) return false;
    return act(
      async (api) => {
        for (const { id } of rows) await api('PUT core/sys/user/', { id, enabled });
      },
      `已${enabledText(enabled)}${whom}`,
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
    { key: 'region', title: '属地', text: (row) => orDash(row.region) },
    { key: 'createdAt', title: '注册时间', text: (row) => formatDateTime(row.createdAt) },
    {
      key: 'enabled',
      title: '启用',
      text: (row) => enabledText(row.enabled),
      show: (row) => (
        <Switch
          size="small"
          checked={row.enabled === 1}
          disabled={!mayUpdate || row.id === user.id}
          aria-label={`启用：${row.displayName}`}
          onChange={(checked) => void setEnabled([row], checked ? 1 : 0)}
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
        keyword="搜索昵称或账号"
        batch={(rows, clear) => {
          const others = rows.filter((row) => row.id !== user.id);
          const run = async (enabled: 0 | 1) => {
            if (await setEnabled(others, enabled)) clear();
          };
          return mayUpdate && others.length > 0 ? (
            <>
              <Button size="small" onClick={() => void run(1)}>
                启用
              </Button>
              <Button size="small" danger onClick={() => void run(0)}>
                停用
              </Button>
            </>
          ) : null;
        }}
      />
    </Screen>
  );
}
