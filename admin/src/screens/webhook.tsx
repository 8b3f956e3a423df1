import { PlusOutlined } from '@ant-design/icons';
import type { WebhookEndpoint } from '@mozhan/contract/webhooks.ts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { Deliveries } from '#admin/features/webhook/deliveries.tsx';
import { EndpointForm } from '#admin/features/webhook/endpoint-form.tsx';
import { Endpoints } from '#admin/features/webhook/endpoints.tsx';
import { SecretDrawer, type Signed } from '#admin/features/webhook/secret-drawer.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { usePlace } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { Can } from '#admin/ui/can.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { Screen } from '#admin/ui/screen.tsx';

const tabs = [
  { key: 'endpoint', label: '接收地址', to: '/webhook' },
  { key: 'delivery', label: '投递记录', to: '/webhook?tab=delivery' },
];

export function Page() {
  const { api } = useApp();
  const isLog = usePlace().search.get('tab') === 'delivery';
  const [subject, setSubject] = useState<WebhookEndpoint | 'new'>();
  const [signed, setSigned] = useState<Signed>();
  const { data, error, isFetching, refetch } = useQuery(call(api, 'GET core/sys/webhook/'));
  return (
    <Screen
      title="外部通知"
      intro={
        isLog
          ? '每个事件发往每个地址各一条；没有送达的在一天内自动重试，记录保留 30 天'
          : '文章上架、订单付款、有新评论时，告诉别的系统（Webhook）'
      }
      actions={
        <Can permission="webhook:create">
          <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setSubject('new')}>
            新建外部通知
          </Button>
        </Can>
      }
    >
      <LinkTabs label="内容" tabs={tabs} selected={isLog ? 'delivery' : 'endpoint'} />
      {isLog ? (
        <Deliveries endpoints={data?.list ?? []} />
      ) : (
        <Endpoints
          rows={data?.list}
          busy={isFetching}
          error={error}
          onRefresh={() => void refetch()}
          onEdit={setSubject}
          onSigned={setSigned}
        />
      )}
      <EndpointForm subject={subject} onClose={() => setSubject(undefined)} onCreated={setSigned} />
      <SecretDrawer endpoint={signed} onClose={() => setSigned(undefined)} />
    </Screen>
  );
}
