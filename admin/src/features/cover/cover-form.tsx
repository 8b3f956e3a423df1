import type { Cover, CoverKind } from '@mozhan/contract/covers.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { App } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import type { Field } from '#admin/ui/fields.tsx';
import { FormDrawer } from '#admin/ui/form-drawer.tsx';
import { ImageUpload } from '#admin/ui/image-upload.tsx';
import { MomentInput } from '#admin/ui/moment-input.tsx';
import { CoverPreview } from './cover-picture.tsx';
import { kindNames } from './kinds.ts';

interface Values {
  title: string;
  image: string;
  link: string;
  startsAt: string | null;
  endsAt: string | null;
  enabled: Flag;
}

const bannerFields: Field<Values>[] = [
  {
    name: 'link',
    kind: 'text',
    label: '链接',
    maxLength: 500,
    placeholder: '/essay/tech.html',
    help: '本站的路径，或 http(s) 网址；留空则不能点',
  },
  { name: 'startsAt', kind: 'own', label: '开始时间', control: <MomentInput />, help: '留空：立即开始' },
  { name: 'endsAt', kind: 'own', label: '结束时间', control: <MomentInput />, help: '留空：一直展示' },
];

const refuse = async (): Promise<void> => {
  throw new Error('图片还在上传，请稍候');
};

interface CoverFormProps {
  kind: CoverKind;
  subject: Cover | 'new' | undefined;
  onClose: () => void;
}

export function CoverForm({ kind, subject, onClose }: CoverFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const [isUploading, setUploading] = useState(false);
  const row = subject === 'new' ? undefined : subject;
  const name = kindNames[kind];
  return (
    <FormDrawer<Values>
      title={row === undefined ? `添加${name}` : `编辑${name}「${row.title}」`}
      open={subject !== undefined}
      onClose={onClose}
      values={{
        title: row?.title ?? '',
        image: row?.image ?? '',
        link: row?.link ?? '',
        startsAt: row?.startsAt ?? null,
        endsAt: row?.endsAt ?? null,
        enabled: row?.enabled ?? 1,
      }}
      fields={({ title, image }) => [
        { name: 'title', kind: 'text', label: '标题', required: true, maxLength: 50 },
        {
          name: 'image',
          kind: 'own',
          label: '图片',
          required: !isUploading,
          control: <ImageUpload label="图片" disabled={false} bare onBusy={setUploading} />,
          rules: isUploading ? [{ validator: refuse }] : [],
          help: <CoverPreview kind={kind} title={title} image={image} />,
        },
        ...(kind === 'banner' ? bannerFields : []),
        { name: 'enabled', kind: 'flag', label: '启用' },
      ]}
      submit={async (values) => {
        if (row === undefined) await api('POST core/sys/cover/', { kind, ...values });
        else await api('PUT core/sys/cover/', { id: row.id, ...values });
        message.success(row === undefined ? `已添加${name}「${values.title}」` : '已保存');
      }}
    />
  );
}
