import { Tag } from 'antd';
import { formatDateTime } from '#admin/lib/format.ts';
import { line, text, time } from '#admin/ui/columns.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';

export const Page = () => (
  <ResourceScreen
    name="ban"
    title="封禁地址"
    noun="封禁"
    unit="条"
    intro="来自这些地址的访问一律拒绝，支付结果的通知除外；到期后自动解除，再过三十天不再列出"
    list={paged('GET core/sys/ban/')}
    nameOf={(row) => row.network}
    columns={[
      text('network', '地址或网络'),
      line('reason', '理由'),
      {
        key: 'expiresAt',
        title: '到期',
        text: ({ expiresAt }) => (expiresAt === null ? '不到期' : formatDateTime(expiresAt)),
        show: ({ expiresAt, isActive }) => (
          <>
            {expiresAt === null ? '不到期' : formatDateTime(expiresAt)} {isActive ? null : <Tag>已到期</Tag>}
          </>
        ),
      },
      { key: 'user', title: '由谁封禁', text: ({ user }) => user?.displayName ?? '-' },
      time('createdAt', '封禁时间', { sort: true }),
    ]}
    keyword="完整的 IP 地址或网络"
    form={{
      values: (row) => ({
        network: row?.network ?? '',
        reason: row?.reason ?? '',
        expiresAt: row?.expiresAt ?? null,
      }),
      fields: (_values, row) => [
        row === undefined && {
          name: 'network',
          kind: 'text',
          label: '地址或网络',
          required: true,
          maxLength: 50,
          placeholder: '203.0.113.7 或 203.0.113.0/24',
          help: 'IPv4 或 IPv6；一段网络用 / 和前缀的长度表示',
        },
        { name: 'reason', kind: 'text', label: '理由', maxLength: 200 },
        { name: 'expiresAt', kind: 'moment', label: '到期时间', help: '留空则不到期' },
      ],
      onlyChanges: true,
    }}
    create={{
      permission: 'ban:create',
      label: '封禁地址',
      run: (api, values) => api('POST core/sys/ban/', values),
      done: ({ network }) => `已封禁 ${network}`,
    }}
    update={{
      permission: 'ban:update',
      run: (api, { id, reason, expiresAt }) => api('PUT core/sys/ban/', { id, reason, expiresAt }),
    }}
    remove={{
      permission: 'ban:remove',
      run: (api, { id }) => api('DELETE core/sys/ban/', { id }),
      text: '来自这个地址的访问立即恢复。',
      bulkText: '来自这些地址的访问立即恢复。',
    }}
  />
);
