import { FLAG } from '@mozhan/contract/enums.ts';
import { Space } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { fileUrl } from '#admin/lib/format.ts';
import { line } from '#admin/ui/columns.tsx';
import { enabledFilter } from '#admin/ui/filters.tsx';
import { ImageUpload } from '#admin/ui/image-upload.tsx';
import { unpaged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';

const refuse = async (): Promise<void> => {
  throw new Error('图片还在上传，请稍候');
};

const LOGO_SIZE = 24;

export function Page() {
  const { basePath } = useApp();
  const [isUploading, setUploading] = useState(false);
  return (
    <ResourceScreen
      name="friend-link"
      title="友情链接"
      intro="有启用的链接时，网站有一页「友情链接」，页脚里有它的入口"
      list={unpaged('GET core/sys/friend-link/')}
      nameOf={(row) => row.name}
      columns={[
        {
          key: 'name',
          title: '名称',
          text: (row) => row.name,
          show: ({ name, logo }) => (
            <Space size={8}>
              {logo === '' ? null : (
                <img src={fileUrl(basePath, logo)} alt="" width={LOGO_SIZE} height={LOGO_SIZE} />
              )}
              {name}
            </Space>
          ),
        },
        {
          key: 'url',
          title: '网址',
          text: (row) => row.url,
          show: ({ url }) => (
            <a href={url} target="_blank" rel="noopener">
              {url}
            </a>
          ),
        },
        line('description', '介绍'),
        'order',
        'enabled',
      ]}
      keyword="搜索名称、网址或介绍"
      filters={[enabledFilter]}
      form={{
        values: (row) => ({
          name: row?.name ?? '',
          url: row?.url ?? '',
          description: row?.description ?? '',
          logo: row?.logo ?? '',
          enabled: row?.enabled ?? FLAG.on,
        }),
        fields: [
          { name: 'name', kind: 'text', label: '名称', required: true, maxLength: 40 },
          {
            name: 'url',
            kind: 'text',
            label: '网址',
            required: true,
            maxLength: 500,
            placeholder: 'https://example.com',
            help: '读者点开时在新的标签页里打开',
          },
          { name: 'description', kind: 'text', label: '介绍', maxLength: 100 },
          {
            name: 'logo',
            kind: 'own',
            label: '标志（可选）',
            control: <ImageUpload label="标志" disabled={false} onBusy={setUploading} />,
            rules: isUploading ? [{ validator: refuse }] : [],
            help: '方形的图片最好；没有标志时显示名称的第一个字',
          },
          { name: 'enabled', kind: 'flag', label: '启用' },
        ],
      }}
      create={{
        permission: 'friend-link:create',
        label: '添加友情链接',
        run: (api, values) => api('POST core/sys/friend-link/', values),
        done: ({ name }) => `已添加「${name}」`,
      }}
      update={{
        permission: 'friend-link:update',
        run: (api, change) => api('PUT core/sys/friend-link/', change),
      }}
      remove={{
        permission: 'friend-link:remove',
        run: (api, { id }) => api('DELETE core/sys/friend-link/', { id }),
      }}
    />
  );
}
