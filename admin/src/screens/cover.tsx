import type { Cover, CoverKind } from '@mozhan/contract/covers.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { Modal } from 'antd';
import { useState } from 'react';
import { CoverPreview, PictureButton } from '#admin/features/cover/cover-picture.tsx';
import { displayState, formatPeriod } from '#admin/lib/display-period.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { line, text } from '#admin/ui/columns.tsx';
import type { Field } from '#admin/ui/fields.tsx';
import { enabledFilter } from '#admin/ui/filters.tsx';
import { ImageUpload } from '#admin/ui/image-upload.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { unpaged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

const tabs = [
  { key: 'library', label: '封面库', to: '/cover' },
  { key: 'banner', label: '首页横幅', to: '/cover?kind=banner' },
];

const kinds: Record<CoverKind, { noun: string; intro: string; keyword: string; gone: string }> = {
  library: {
    noun: '封面',
    intro: '作者写文章时可以选用的封面',
    keyword: '搜索标题',
    gone: '已用它的文章不受影响。',
  },
  banner: {
    noun: '横幅',
    intro: '首页顶部的横幅，按这里的顺序轮播',
    keyword: '搜索标题或链接',
    gone: '首页立即不再展示。',
  },
};

const bannerColumns: Column<Cover>[] = [
  line('link', '链接'),
  { key: 'span', title: '展示时间', text: formatPeriod },
  { key: 'state', title: '状态', text: (row) => displayState(row, new Date()) },
];

const valuesOf = (row: Cover | undefined) => ({
  title: row?.title ?? '',
  summary: row?.summary ?? '',
  image: row?.image ?? '',
  link: row?.link ?? '',
  startsAt: row?.startsAt ?? null,
  endsAt: row?.endsAt ?? null,
  enabled: row?.enabled ?? FLAG.on,
});

const bannerFields: Field<ReturnType<typeof valuesOf>>[] = [
  { name: 'summary', kind: 'text', label: '说明', maxLength: 100, help: '标题下的一句话；可以不填' },
  {
    name: 'link',
    kind: 'text',
    label: '链接',
    maxLength: 500,
    placeholder: '/essay/tech.html',
    help: '本站的路径，或 http(s) 网址；留空则不能点',
  },
  { name: 'startsAt', kind: 'moment', label: '开始时间', help: '留空：立即开始' },
  { name: 'endsAt', kind: 'moment', label: '结束时间', help: '留空：一直展示' },
];

const refuse = async (): Promise<void> => {
  throw new Error('图片还在上传，请稍候');
};

export function Page() {
  const kind: CoverKind = useLocation().search.get('kind') === 'banner' ? 'banner' : 'library';
  const [seen, setSeen] = useState<Cover>();
  const [isUploading, setUploading] = useState(false);
  const { noun, intro, keyword, gone } = kinds[kind];
  return (
    <>
      <ResourceScreen
        key={kind}
        name={`cover-${kind}`}
        title="封面与横幅"
        intro={intro}
        noun={noun}
        list={unpaged('GET core/sys/cover/all', { kind })}
        nameOf={(row) => row.title}
        columns={[
          {
            key: 'image',
            title: '图片',
            text: (row) => row.image,
            by: null,
            show: (row) => <PictureButton title={row.title} image={row.image} onClick={() => setSeen(row)} />,
          },
          text('title', '标题'),
          ...(kind === 'banner' ? bannerColumns : []),
          'order',
          'enabled',
        ]}
        keyword={keyword}
        filters={[enabledFilter]}
        form={{
          drawer: true,
          values: valuesOf,
          fields: ({ title, image }) => [
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
          ],
        }}
        create={{
          permission: 'cover:create',
          label: `添加${noun}`,
          run: (api, values) => api('POST core/sys/cover/', { kind, ...values }),
          done: ({ title }) => `已添加${noun}「${title}」`,
        }}
        update={{ permission: 'cover:update', run: (api, change) => api('PUT core/sys/cover/', change) }}
        remove={{
          permission: 'cover:remove',
          run: (api, { id }) => api('DELETE core/sys/cover/', { id }),
          text: gone,
        }}
      >
        <LinkTabs label="类型" tabs={tabs} selected={kind} />
      </ResourceScreen>
      <Modal
        title={seen?.title}
        open={seen !== undefined}
        onCancel={() => setSeen(undefined)}
        closable={{ 'aria-label': '关闭' }}
        footer={null}
        width={720}
      >
        {seen === undefined ? null : <CoverPreview {...seen} />}
      </Modal>
    </>
  );
}
