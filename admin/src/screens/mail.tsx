import type { MailRecord } from '@mozhan/contract/mail.ts';
import { useQuery } from '@tanstack/react-query';
import { Skeleton, Tag } from 'antd';
import { kindLabels, statusLabels } from '#admin/features/mail/labels.ts';
import { Setup } from '#admin/features/mail/setup.tsx';
import { Templates } from '#admin/features/mail/templates.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime } from '#admin/lib/format.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { count, line, text, time } from '#admin/ui/columns.tsx';
import { optionsOf } from '#admin/ui/labels.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceTable } from '#admin/ui/resource-screen.tsx';
import { Card, LoadError, Screen } from '#admin/ui/screen.tsx';

const tabs = [
  { key: 'log', label: '发信记录', to: '/mail' },
  { key: 'template', label: '模板', to: '/mail?tab=template' },
];

const labelOf = ({ status, bounced }: MailRecord) =>
  bounced ? { label: '已退回', color: 'error' } : statusLabels[status];

export function Page() {
  const { api } = useApp();
  const isTemplate = useLocation().search.get('tab') === 'template';
  const { data, error, refetch } = useQuery(call(api, 'GET core/sys/mail/setup'));
  return (
    <Screen title="邮件" intro="验证码、提醒和通知汇总由邮件服务器寄出；记录保留三十天，不含正文">
      {data === undefined && error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined && !error ? (
        <Card>
          <Skeleton active title={false} paragraph={{ rows: 3 }} />
        </Card>
      ) : null}
      {data === undefined ? null : <Setup setup={data} />}
      <LinkTabs label="邮件" tabs={tabs} selected={isTemplate ? 'template' : 'log'} />
      {isTemplate ? (
        data === undefined ? null : (
          <Templates templates={data.templates} />
        )
      ) : (
        <ResourceTable
          name="mail"
          noun="邮件"
          list={paged('GET core/sys/mail/')}
          nameOf={({ address, createdAt }) => `${address}，${formatDateTime(createdAt)}`}
          columns={[
            time('createdAt', '时间'),
            { key: 'kind', title: '类型', text: (row) => kindLabels[row.kind] },
            text('address', '收件地址'),
            {
              key: 'status',
              title: '状态',
              text: (row) => labelOf(row).label,
              show: (row) => <Tag color={labelOf(row).color}>{labelOf(row).label}</Tag>,
            },
            line('reason', '原因'),
            line('response', '服务器的回答'),
            count('attempts', '尝试'),
            time('updatedAt', '更新时间', { hidden: true }),
          ]}
          keyword="完整的收件地址"
          filters={[
            { name: 'status', label: '状态', options: optionsOf(statusLabels) },
            { name: 'kind', label: '类型', options: optionsOf(kindLabels) },
          ]}
          rowActions={[
            {
              label: '重发',
              permission: 'mail:update',
              when: (row) => row.canRetry,
              run: (api, { id }) => api('POST core/sys/mail/retry', { id }),
              done: '已重新排队',
            },
          ]}
        />
      )}
    </Screen>
  );
}
