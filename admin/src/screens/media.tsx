import { CallError } from '@mozhan/contract/errors.ts';
import type { MediaFile } from '@mozhan/contract/media.ts';
import type { UploadKind } from '@mozhan/contract/uploads.ts';
import { Button, Tag } from 'antd';
import { useState } from 'react';
import { MediaTotals } from '#admin/features/media/media-totals.tsx';
import { Picture } from '#admin/features/media/picture.tsx';
import { QuotaForm } from '#admin/features/media/quota-form.tsx';
import { describeUse, UseList, UsesDrawer } from '#admin/features/media/uses.tsx';
import { formatBytes } from '#admin/lib/format.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { Can } from '#admin/ui/can.tsx';
import { line, person, time } from '#admin/ui/columns.tsx';
import { dayFilters, userFilter } from '#admin/ui/filters.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

const tabs = [
  { key: 'image', label: '图片', to: '/media' },
  { key: 'attachment', label: '附件', to: '/media?kind=attachment' },
];

const texts: Record<UploadKind, { noun: string; unit: string; keyword: string }> = {
  image: { noun: '图片', unit: '张', keyword: '粘贴图片的地址' },
  attachment: { noun: '附件', unit: '个', keyword: '搜索文件名' },
};

const MB = 1024 * 1024;
const sizes = [1, 5, 10, 20].map((megabytes) => ({
  value: String(megabytes * MB),
  label: `${megabytes} MB 以上`,
}));

const nameOf = ({ name, width, height }: MediaFile): string =>
  name === '' ? `${width ?? 0} × ${height ?? 0} 的图片` : name;

const stateOf = ({ isUsed, isFresh, uses }: MediaFile): string => {
  if (isUsed) return uses.map(describeUse).join('、');
  return isFresh ? '刚上传' : '没有用到';
};

function State({ row }: { row: MediaFile }) {
  if (row.isUsed) return <UseList uses={row.uses} />;
  return <Tag color={row.isFresh ? 'default' : 'warning'}>{stateOf(row)}</Tag>;
}

const pictureColumn: Column<MediaFile> = {
  key: 'picture',
  title: '图片',
  text: ({ url }) => url,
  show: (row) => <Picture file={row} name={nameOf(row)} />,
};

const columnsOf = (kind: UploadKind): Column<MediaFile>[] => [
  kind === 'image' ? pictureColumn : line('name', '文件名'),
  { key: 'uses', title: '用在', text: stateOf, show: (row) => <State row={row} /> },
  person('user', '上传的人'),
  {
    key: 'bytes',
    title: '大小',
    text: ({ bytes }) => String(bytes),
    show: ({ bytes }) => formatBytes(bytes),
    sort: 'bytes',
    align: 'end',
  },
  kind === 'image'
    ? {
        key: 'size',
        title: '尺寸',
        text: ({ width, height }) => `${width ?? 0} × ${height ?? 0}`,
        hidden: true,
      }
    : line('type', '类型', { hidden: true }),
  time('createdAt', '上传时间', { sort: true }),
];

export function Page() {
  const kind: UploadKind = useLocation().search.get('kind') === 'attachment' ? 'attachment' : 'image';
  const [isEditing, setEditing] = useState(false);
  const { noun, unit, keyword } = texts[kind];
  return (
    <>
      <ResourceScreen
        key={kind}
        name={`media-${kind}`}
        title="媒体库"
        noun={noun}
        unit={unit}
        intro="用户上传的全部图片和附件，用在哪里；没有用到的可以清理，上传不满 24 小时的会留着"
        actions={
          <Can permission="media:update">
            <Button onClick={() => setEditing(true)}>每人的空间</Button>
          </Can>
        }
        list={paged('GET core/sys/media/', { kind })}
        nameOf={nameOf}
        columns={columnsOf(kind)}
        keyword={keyword}
        keywordMax={300}
        filters={[
          userFilter('userId', '上传的人'),
          {
            name: 'unused',
            label: '是否用到',
            options: [
              { value: '1', label: '没有用到' },
              { value: '0', label: '用到了' },
            ],
          },
          { name: 'minBytes', label: '大小', options: sizes },
          ...dayFilters,
        ]}
        rowActions={[
          { label: '用在哪里', when: ({ isUsed }) => isUsed, panel: (props) => <UsesDrawer {...props} /> },
        ]}
        remove={{
          permission: 'media:remove',
          when: ({ isUsed, isFresh }) => !isUsed && !isFresh,
          run: async (api, { id }) => {
            const { count } = await api('DELETE core/sys/media/', { kind, ids: [id] });
            if (count === 0) throw new CallError('INVALID', { message: '刚刚有人用到它，没有删除' });
          },
          text: '没有任何地方用到它。删除后不能恢复。',
          bulkText: '没有任何地方用到它们。删除后不能恢复。',
        }}
      >
        <LinkTabs label="类型" tabs={tabs} selected={kind} />
        <MediaTotals kind={kind} noun={noun} unit={unit} />
      </ResourceScreen>
      <QuotaForm open={isEditing} onClose={() => setEditing(false)} />
    </>
  );
}
