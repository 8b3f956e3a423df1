import type { StaffTag } from '@mozhan/contract/tags.ts';
import { Tag } from 'antd';
import { RenameForm } from '#admin/features/tag/rename-form.tsx';
import { Link } from '#admin/lib/navigation.tsx';
import { usePolling } from '#admin/lib/use-polling.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { text } from '#admin/ui/columns.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';

const movingText = ({ moving }: StaffTag): string => {
  if (moving === null) return '';
  return moving.to === null ? '正在移除' : `正在并入「${moving.to}」`;
};

const isNotMoving = ({ moving }: StaffTag): boolean => moving === null;

const ROUTES = ['GET core/sys/tag/'] as const;

/** Polls until no tag is being moved. */
function Polling({ isOn }: { isOn: boolean }) {
  usePolling(isOn, ROUTES);
  return null;
}

function EssayCount({ tag: { name, count } }: { tag: StaffTag }) {
  const can = useCan();
  if (count === 0 || !can('essay:list')) return count;
  return (
    <Link to={`/essay?tag=${encodeURIComponent(name)}`} aria-label={`${count} 篇：${name}`}>
      {count}
    </Link>
  );
}

export const Page = () => (
  <ResourceScreen
    name="tag"
    title="标签"
    intro="已上架文章的标签；改名与合并后旧名指向新名，文章随后在后台改好"
    list={paged('GET core/sys/tag/')}
    columns={[
      {
        key: 'name',
        title: '标签',
        text: (row) => row.name,
        show: (row) => (
          <>
            {row.name} {row.moving === null ? null : <Tag color="processing">{movingText(row)}</Tag>}
          </>
        ),
        sort: 'name',
      },
      {
        key: 'count',
        title: '文章',
        text: (row) => String(row.count),
        show: (row) => <EssayCount tag={row} />,
        sort: 'count',
      },
      text('aliases', '曾用名'),
      { key: 'moving', title: '处理', text: movingText, hidden: true },
    ]}
    keyword="标签的开头"
    keywordMax={20}
    summary={({ list }) => <Polling isOn={!list.every(isNotMoving)} />}
    rowActions={[
      {
        label: '改名',
        permission: 'tag:update',
        when: isNotMoving,
        panel: (props) => <RenameForm {...props} />,
        bulk: { label: ({ length }) => (length > 1 ? '合并' : undefined) },
      },
    ]}
    remove={{
      permission: 'tag:remove',
      when: isNotMoving,
      run: (api, { name }) => api('DELETE core/sys/tag/', { name }),
      text: '它会从所有文章中移除，不能恢复；文章本身不受影响。',
      bulkText: '它们会从所有文章中移除，不能恢复；文章本身不受影响。',
    }}
  />
);
