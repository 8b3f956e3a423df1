import type { Client } from '@mozhan/contract/client.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import type { StaffSession } from '@mozhan/contract/sessions.ts';
import { Button, Tag } from 'antd';
import { useBatch } from '#admin/lib/batch.tsx';
import { formatDateTime, orDash, timeAgo } from '#admin/lib/format.ts';
import { useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { Person } from '#admin/ui/person.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { UserFilter } from '#admin/ui/user-filter.tsx';

const ways: Record<StaffSession['via'], string> = {
  register: '注册',
  password: '密码',
  code: '验证码',
  qrcode: '扫码',
};

const filters: Filter[] = [
  { name: 'staff', label: '范围', options: [{ value: String(FLAG.on), label: '只看工作人员' }] },
  { name: 'userId', label: '用户', render: (control) => <UserFilter label="用户" {...control} /> },
];

const columns: Column<StaffSession>[] = [
  {
    key: 'user',
    title: '用户',
    text: (row) => row.user.displayName,
    show: ({ user }) => <Person name={user.displayName} headImg={user.headImg} note={user.account} />,
  },
  { key: 'account', title: '账号', text: (row) => row.user.account, hidden: true },
  {
    key: 'device',
    title: '设备',
    text: (row) => orDash(row.device),
    show: (row) => (
      <>
        {orDash(row.device)} {row.isCurrent ? <Tag color="processing">当前</Tag> : null}
      </>
    ),
  },
  { key: 'address', title: '地址', text: (row) => row.address },
  { key: 'region', title: '属地', text: (row) => orDash(row.region) },
  { key: 'via', title: '方式', text: (row) => ways[row.via] },
  {
    key: 'isStaff',
    title: '身份',
    text: (row) => (row.isStaff ? '工作人员' : '用户'),
    show: (row) => (row.isStaff ? <Tag>工作人员</Tag> : '用户'),
  },
  {
    key: 'createdAt',
    title: '登录时间',
    text: (row) => formatDateTime(row.createdAt),
    sort: 'createdAt',
  },
  {
    key: 'usedAt',
    title: '最近使用',
    text: (row) => formatDateTime(row.usedAt),
    show: (row) => <TimeAgo at={row.usedAt} />,
    sort: 'usedAt',
  },
];

const nameOf = ({ user, device }: StaffSession): string => `${user.displayName} · ${orDash(device)}`;
const end = (api: Client, { id }: StaffSession) => api('DELETE core/sys/session/', { id });

export function Page() {
  const mayRemove = useCan()('session:remove');
  const act = useAct();
  const batch = useBatch();
  const confirm = useConfirm();

  async function endOne(row: StaffSession): Promise<void> {
    const question = row.isCurrent
      ? { title: '结束你现在的这次登录？', text: '你会立即退出后台，需要重新登录。' }
      : {
          title: `结束「${row.user.displayName}」在 ${orDash(row.device)} 的登录？`,
          text: `最近一次使用：${timeAgo(row.usedAt)}。这台设备会立即退出，需要重新登录。`,
        };
    if (!(await confirm({ ...question, action: '结束', danger: true }))) return;
    await act((api) => end(api, row), `已结束「${row.user.displayName}」的登录`);
  }

  return (
    <Screen title="登录设备" intro="谁在哪台设备上登录着；结束后那台设备立即退出">
      <DataTable
        name="session"
        title="登录设备"
        route="GET core/sys/session/"
        columns={columns}
        keyword="昵称、账号或邮箱的开头"
        filters={filters}
        {...(mayRemove && {
          actions: (row: StaffSession) => (
            <RowActions
              name={nameOf(row)}
              actions={[{ label: '结束', danger: true, onClick: () => void endOne(row) }]}
            />
          ),
          batch: (rows: StaffSession[], choose: (left?: StaffSession[]) => void) => {
            // One's own is ended alone, where the question says so.
            const others = rows.filter((row) => !row.isCurrent);
            const run = async () => {
              const title = `结束这 ${others.length} 次登录？`;
              const text = '这些设备会立即退出，需要重新登录。你自己现在的登录不在其中。';
              if (!(await confirm({ title, text, action: '结束', danger: true }))) return;
              choose(await batch({ verb: '结束', rows: others, nameOf, work: end }));
            };
            return others.length === 0 ? null : (
              <Button size="small" danger onClick={() => void run()}>
                结束登录
              </Button>
            );
          },
        })}
      />
    </Screen>
  );
}
