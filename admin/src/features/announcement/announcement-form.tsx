import type { Announcement, AnnouncementLevel } from '@mozhan/contract/announcements.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { App, Input } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormDrawer } from '#admin/ui/form-drawer.tsx';
import { MomentInput } from '#admin/ui/moment-input.tsx';
import { levelOptions } from './levels.tsx';

interface Values {
  title: string;
  content: string;
  link: string;
  level: AnnouncementLevel;
  startsAt: string | null;
  endsAt: string | null;
  enabled: Flag;
}

interface AnnouncementFormProps {
  subject: Announcement | 'new' | undefined;
  onClose: () => void;
}

export function AnnouncementForm({ subject, onClose }: AnnouncementFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const row = subject === 'new' ? undefined : subject;
  return (
    <FormDrawer<Values>
      title={row === undefined ? '发布公告' : `编辑公告「${row.title}」`}
      open={subject !== undefined}
      onClose={onClose}
      values={{
        title: row?.title ?? '',
        content: row?.content ?? '',
        link: row?.link ?? '',
        level: row?.level ?? 'info',
        startsAt: row?.startsAt ?? null,
        endsAt: row?.endsAt ?? null,
        enabled: row?.enabled ?? 1,
      }}
      fields={[
        { name: 'title', kind: 'text', label: '标题', required: true, maxLength: 50 },
        {
          name: 'content',
          kind: 'own',
          label: '正文（可选）',
          control: <Input.TextArea rows={5} maxLength={1000} showCount />,
          help: 'Markdown，一两段；读者点开标题后看到',
        },
        {
          name: 'link',
          kind: 'text',
          label: '链接',
          maxLength: 500,
          placeholder: '/help.html',
          help: '本站的路径，或 http(s) 网址；留空则没有「查看」',
        },
        { name: 'level', kind: 'choice', label: '级别', options: levelOptions },
        {
          name: 'startsAt',
          kind: 'own',
          label: '开始时间',
          control: <MomentInput />,
          help: '留空：立即开始',
        },
        { name: 'endsAt', kind: 'own', label: '结束时间', control: <MomentInput />, help: '留空：一直展示' },
        { name: 'enabled', kind: 'flag', label: '启用' },
      ]}
      submit={async (values) => {
        if (row === undefined) await api('POST core/sys/announcement/', values);
        else await api('PUT core/sys/announcement/', { id: row.id, ...values });
        message.success(row === undefined ? `已发布「${values.title}」` : '已保存');
      }}
    />
  );
}
