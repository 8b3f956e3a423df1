import type { Client } from '@mozhan/contract/client.ts';
import type { StaffTag } from '@mozhan/contract/tags.ts';
import { Button, Tag } from 'antd';
import { useEffect, useState } from 'react';
import { RenameForm } from '#admin/features/tag/rename-form.tsx';
import { useBatch } from '#admin/lib/batch.tsx';
import { Link } from '#admin/lib/navigation.tsx';
import { useRefresh } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm, useConfirmRemove } from '#admin/ui/confirm.ts';
import { DataTable } from '#admin/ui/data-table.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

type Choose = (left?: StaffTag[]) => void;

const WHAT_IS_LOST = '它会从所有文章上去掉，不能恢复；文章本身不受影响。';

const movingText = ({ moving }: StaffTag): string => {
  if (moving === null) return '';
  return moving.to === null ? '正在去掉' : `正在并入「${moving.to}」`;
};
const nameOf = (row: StaffTag): string => row.name;
const remove = (api: Client, { name }: StaffTag) => api('DELETE core/sys/tag/', { name });

const WATCH_MS = 2000;

/** Asks again until all is done. */
function Watch({ tags }: { tags: StaffTag[] }) {
  const refresh = useRefresh();
  const isMoving = tags.some(({ moving }) => moving !== null);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => void refresh(), WATCH_MS);
    return () => clearInterval(timer);
  }, [isMoving, refresh]);
  return null;
}

export function Page() {
  const can = useCan();
  const batch = useBatch();
  const confirm = useConfirm();
  const confirmRemove = useConfirmRemove();
  const [subject, setSubject] = useState<{ tags: StaffTag[]; choose?: Choose }>();
  const [mayUpdate, mayRemove, mayList] = [can('tag:update'), can('tag:remove'), can('essay:list')];

  const columns: Column<StaffTag>[] = [
    {
      key: 'name',
      title: '标签',
      text: nameOf,
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
      show: (row) =>
        mayList && row.count > 0 ? (
          <Link to={`/essay?tag=${encodeURIComponent(row.name)}`} aria-label={`${row.count} 篇：${row.name}`}>
            {row.count}
          </Link>
        ) : (
          row.count
        ),
      sort: 'count',
    },
    { key: 'aliases', title: '曾用名', text: (row) => row.aliases.join('、') || '-' },
    { key: 'moving', title: '处理', text: movingText, hidden: true },
  ];

  async function removeAll(rows: StaffTag[], choose: Choose): Promise<void> {
    const title = `删除这 ${rows.length} 个标签？`;
    const text = '它们会从所有文章上去掉，不能恢复；文章本身不受影响。';
    if (!(await confirm({ title, text, action: '删除', danger: true }))) return;
    choose(await batch({ verb: '删除', rows, nameOf, work: remove }));
  }

  return (
    <Screen title="标签" intro="已上架文章的标签；改名与合并后旧名指向新名，文章随后在后台改好">
      <DataTable
        name="tag"
        title="标签"
        route="GET core/sys/tag/"
        columns={columns}
        keyword="标签的开头"
        keywordMax={20}
        summary={(page) => <Watch tags={page.list} />}
        actions={(row) =>
          row.moving === null ? (
            <RowActions
              name={row.name}
              actions={[
                mayUpdate && { label: '改名', onClick: () => setSubject({ tags: [row] }) },
                mayRemove && {
                  label: '删除',
                  danger: true,
                  onClick: () =>
                    void confirmRemove({
                      kind: '标签',
                      name: row.name,
                      text: WHAT_IS_LOST,
                      work: (api) => remove(api, row),
                    }),
                },
              ]}
            />
          ) : null
        }
        batch={(rows, choose) => (
          <>
            {mayUpdate && rows.length > 1 ? (
              <Button size="small" onClick={() => setSubject({ tags: rows, choose })}>
                合并
              </Button>
            ) : null}
            {mayRemove ? (
              <Button size="small" danger onClick={() => void removeAll(rows, choose)}>
                删除
              </Button>
            ) : null}
          </>
        )}
      />
      <RenameForm
        tags={subject?.tags}
        onClose={() => setSubject(undefined)}
        onDone={() => subject?.choose?.()}
      />
    </Screen>
  );
}
