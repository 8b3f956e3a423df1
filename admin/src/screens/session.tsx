import { FLAG } from '@mozhan/contract/enums.ts';
import type { StaffSession } from '@mozhan/contract/sessions.ts';
import { Tag } from 'antd';
import { orDash, timeAgo } from '#admin/lib/format.ts';
import { ago, text, time } from '#admin/ui/columns.tsx';
import { userFilter } from '#admin/ui/filters.tsx';
import { paged } from '#admin/ui/lists.ts';
import { Person } from '#admin/ui/person.tsx';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';

const ways: Record<StaffSession['via'], string> = {
  register: '注册',
  password: '密码',
  code: '验证码',
  qrcode: '扫码',
};

export const Page = () => (
  <ResourceScreen
    name="session"
    title="登录设备"
    intro="谁在哪台设备上登录着；结束后那台设备立即退出"
    list={paged('GET core/sys/session/')}
    nameOf={({ user, device }) => `${user.displayName} · ${orDash(device)}`}
    columns={[
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
      text('address', '地址'),
      text('region', '属地'),
      { key: 'via', title: '方式', text: (row) => ways[row.via] },
      {
        key: 'isStaff',
        title: '身份',
        text: (row) => (row.isStaff ? '工作人员' : '用户'),
        show: (row) => (row.isStaff ? <Tag>工作人员</Tag> : '用户'),
      },
      time('createdAt', '登录时间', { sort: true }),
      ago('usedAt', '最近使用', { sort: true }),
    ]}
    keyword="昵称、账号或邮箱的开头"
    filters={[
      { name: 'staff', label: '范围', options: [{ value: String(FLAG.on), label: '只看工作人员' }] },
      userFilter('userId', '用户'),
    ]}
    rowActions={[
      {
        label: '结束',
        permission: 'session:remove',
        danger: true,
        ask: ({ isCurrent, user, device, usedAt }) =>
          isCurrent
            ? { title: '结束你现在的这次登录？', text: '你会立即退出后台，需要重新登录。' }
            : {
                title: `结束「${user.displayName}」在 ${orDash(device)} 的登录？`,
                text: `最近一次使用：${timeAgo(usedAt)}。这台设备会立即退出，需要重新登录。`,
              },
        run: (api, { id }) => api('DELETE core/sys/session/', { id }),
        done: ({ user }) => `已结束「${user.displayName}」的登录`,
        bulk: {
          label: () => '结束登录',
          ask: ({ length }) => ({
            title: `结束这 ${length} 次登录？`,
            text: '这些设备会立即退出，需要重新登录。你自己现在的登录不在其中。',
          }),
        },
      },
    ]}
    // Excluded from bulk actions; the single action asks with a specific warning.
    exempt={({ isCurrent }) => isCurrent}
  />
);
