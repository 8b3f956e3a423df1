import { FLAG } from '@mozhan/contract/enums.ts';
import { useQuery } from '@tanstack/react-query';
import { Tag } from 'antd';
import { useState } from 'react';
import { Deliveries } from '#admin/features/webhook/deliveries.tsx';
import { DeliveryDrawer } from '#admin/features/webhook/delivery-drawer.tsx';
import { DeliveryState, deliveryStateText } from '#admin/features/webhook/delivery-state.tsx';
import { eventNames, eventText } from '#admin/features/webhook/events.ts';
import { type EndpointWithSecret, SecretDrawer } from '#admin/features/webhook/secret-drawer.tsx';
import styles from '#admin/features/webhook/webhook.module.css';
import { useApp } from '#admin/lib/app-context.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { line, text, time } from '#admin/ui/columns.tsx';
import { enabledOptions } from '#admin/ui/enabled-tag.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { unpagedFrom } from '#admin/ui/lists.ts';
import { defineResource } from '#admin/ui/resource.ts';
import { CreateButton } from '#admin/ui/resource-screen.tsx';
import { Table } from '#admin/ui/resource-table.tsx';
import { Screen } from '#admin/ui/screen.tsx';

const tabs = [
  { key: 'endpoint', label: '接收地址', to: '/webhook' },
  { key: 'delivery', label: '投递记录', to: '/webhook?tab=delivery' },
];

export function Page() {
  const { api } = useApp();
  const isLog = useLocation().search.get('tab') === 'delivery';
  const { data } = useQuery(call(api, 'GET core/sys/webhook/'));
  const [signed, setSigned] = useState<EndpointWithSecret>();
  const [sent, setSent] = useState<string>();

  const endpoints = defineResource({
    name: 'webhook',
    noun: '外部通知',
    list: unpagedFrom('GET core/sys/webhook/', ({ list }) => list),
    columns: [
      text('name', '名称'),
      line('url', '网址'),
      {
        key: 'events',
        title: '事件',
        text: (row) => row.events.map(eventText).join('、'),
        show: (row) => (
          <span className={styles.events}>
            {row.events.map((event) => (
              <Tag key={event}>{eventText(event)}</Tag>
            ))}
          </span>
        ),
      },
      {
        key: 'state',
        title: '送达',
        text: deliveryStateText,
        show: (row) => <DeliveryState endpoint={row} />,
      },
      'enabled',
      time('createdAt', '创建时间', { hidden: true }),
    ],
    keyword: '搜索名称或网址',
    filters: [{ name: 'enabled', label: '启用', options: enabledOptions }],
    form: {
      drawer: true,
      values: (row) => ({
        name: row?.name ?? '',
        url: row?.url ?? '',
        events: row?.events ?? [],
        enabled: row?.enabled ?? FLAG.on,
      }),
      fields: [
        { name: 'name', kind: 'text', label: '名称', required: true, maxLength: 50 },
        {
          name: 'url',
          kind: 'text',
          label: '网址',
          required: true,
          maxLength: 500,
          placeholder: 'https://',
          help: '事件发生后，内容以 JSON 发送（POST）到这里；默认不能是本机或内网的地址',
        },
        {
          name: 'events',
          kind: 'select',
          label: '事件',
          required: true,
          multiple: true,
          options: Object.entries(eventNames).map(([value, label]) => ({
            value,
            label: `${label}（${value}）`,
          })),
        },
        { name: 'enabled', kind: 'flag', label: '启用' },
      ],
    },
    create: {
      permission: 'webhook:create',
      run: async (api, values) => setSigned(await api('POST core/sys/webhook/', values)),
      done: ({ name }) => `已新建「${name}」`,
    },
    update: { permission: 'webhook:update', run: (api, change) => api('PUT core/sys/webhook/', change) },
    rowActions: [
      { label: '记录', link: true, to: ({ id }) => `/webhook?tab=delivery&endpointId=${id}` },
      {
        label: '发送测试',
        permission: 'webhook:update',
        first: true,
        when: ({ enabled }) => enabled === FLAG.on,
        run: async (api, { id }) => setSent((await api('POST core/sys/webhook/test', { id })).id),
        done: '测试已发出',
      },
      {
        label: '签名',
        permission: 'webhook:update',
        panel: ({ subject, onClose }) => <SecretDrawer subject={subject} onClose={onClose} />,
      },
    ],
    remove: {
      permission: 'webhook:remove',
      run: (api, { id }) => api('DELETE core/sys/webhook/', { id }),
    },
    bulk: false,
  });

  return (
    <Screen
      title="外部通知"
      intro={
        isLog
          ? '每个事件发往每个地址各一条；没有送达的在一天内自动重试，记录保留 30 天'
          : '文章上架、订单付款、有新评论时，告诉别的系统（Webhook）'
      }
      actions={<CreateButton resource={endpoints} type="primary" />}
    >
      <LinkTabs label="内容" tabs={tabs} selected={isLog ? 'delivery' : 'endpoint'} />
      {isLog ? <Deliveries endpoints={data?.list ?? []} /> : <Table resource={endpoints} />}
      <SecretDrawer subject={signed} onClose={() => setSigned(undefined)} />
      <DeliveryDrawer id={sent} onClose={() => setSent(undefined)} onRedeliver={undefined} />
    </Screen>
  );
}
