import type { Output } from '@mozhan/contract/client.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import type { WebhookEndpoint, WebhookEvent } from '@mozhan/contract/webhooks.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormDrawer } from '#admin/ui/form-drawer.tsx';
import { wantedOptions } from './events.tsx';

interface Values {
  name: string;
  url: string;
  events: WebhookEvent[];
  enabled: Flag;
}

interface EndpointFormProps {
  subject: WebhookEndpoint | 'new' | undefined;
  onClose: () => void;
  onCreated: (made: Output<'POST core/sys/webhook/'>) => void;
}

export function EndpointForm({ subject, onClose, onCreated }: EndpointFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const row = subject === 'new' ? undefined : subject;
  return (
    <FormDrawer<Values>
      title={row === undefined ? '新建外部通知' : `编辑外部通知「${row.name}」`}
      open={subject !== undefined}
      onClose={onClose}
      values={{
        name: row?.name ?? '',
        url: row?.url ?? '',
        events: row?.events ?? [],
        enabled: row?.enabled ?? 1,
      }}
      fields={[
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
          options: wantedOptions,
        },
        { name: 'enabled', kind: 'flag', label: '启用' },
      ]}
      submit={async (values) => {
        if (row === undefined) onCreated(await api('POST core/sys/webhook/', values));
        else await api('PUT core/sys/webhook/', { id: row.id, ...values });
        message.success(row === undefined ? `已新建「${values.name}」` : '已保存');
      }}
    />
  );
}
