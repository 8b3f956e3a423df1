import { HddOutlined } from '@ant-design/icons';
import type { Backup } from '@mozhan/contract/backups.ts';
import { Button } from 'antd';
import { BackupDetail } from '#admin/features/backup/detail.tsx';
import { Plan } from '#admin/features/backup/plan.tsx';
import { useIsMaking } from '#admin/features/backup/use-is-making.ts';
import {
  contentsText,
  isOpen,
  makerOptions,
  makerText,
  nameOf,
  Status,
  statusOptions,
  statusText,
} from '#admin/features/backup/words.tsx';
import { formatBytes, formatDateTime, orDash } from '#admin/lib/format.ts';
import { useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { Can } from '#admin/ui/can.tsx';
import { useConfirm, useConfirmRemove } from '#admin/ui/confirm.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { Line } from '#admin/ui/line.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

const filters: Filter[] = [
  { name: 'madeBy', label: '来源', options: makerOptions },
  { name: 'status', label: '状态', options: statusOptions },
];

const columns: Column<Backup>[] = [
  { key: 'createdAt', title: '开始时间', text: (row) => formatDateTime(row.createdAt) },
  { key: 'madeBy', title: '来源', text: makerText },
  { key: 'status', title: '状态', text: statusText, show: (row) => <Status backup={row} /> },
  {
    key: 'bytes',
    title: '大小',
    align: 'end',
    text: (row) => (row.bytes === null ? '-' : formatBytes(row.bytes)),
  },
  { key: 'contents', title: '内容', text: contentsText },
  {
    key: 'message',
    title: '说明',
    text: (row) => (row.status === 'failed' ? orDash(row.message) : '-'),
    show: (row) => <Line text={row.status === 'failed' ? orDash(row.message) : '-'} />,
  },
  { key: 'name', title: '文件名', text: (row) => orDash(row.name), hidden: true },
];

export function Page() {
  const can = useCan();
  const act = useAct();
  const confirm = useConfirm();
  const confirmRemove = useConfirmRemove();
  const isMaking = useIsMaking();

  const download = async (row: Backup): Promise<void> => {
    const title = `下载「${nameOf(row)}」？`;
    const text = '备份里有全站内容、私信和密码的摘要，请妥善保管；这次下载会记入操作日志。';
    if (!(await confirm({ title, text, action: '下载' }))) return;
    await act(async (api) => {
      const { url } = await api('POST core/sys/backup/link', { id: row.id });
      location.assign(url);
    }, '已开始下载');
  };

  return (
    <Screen
      title="备份"
      intro="整个网站的一份拷贝：全部数据和上传的文件。备份时网站照常运行"
      actions={
        <Can permission="backup:create">
          <Button
            type="primary"
            icon={<HddOutlined aria-hidden />}
            disabled={isMaking}
            onClick={() => void act((api) => api('POST core/sys/backup/', {}), '已开始备份')}
          >
            {isMaking ? '正在备份' : '立即备份'}
          </Button>
        </Can>
      }
    >
      <Plan />
      <DataTable
        name="backup"
        title="备份"
        route="GET core/sys/backup/"
        columns={columns}
        filters={filters}
        expanded={(row) => <BackupDetail backup={row} />}
        actions={(row) => (
          <RowActions
            name={nameOf(row)}
            actions={[
              can('backup:download') &&
                row.status === 'done' &&
                row.isHere && { label: '下载', onClick: () => void download(row) },
              can('backup:remove') &&
                !isOpen(row) && {
                  label: '删除',
                  danger: true,
                  onClick: () =>
                    void confirmRemove({
                      kind: '备份',
                      name: nameOf(row),
                      text: '文件会一并删除，不能恢复。',
                      work: (api) => api('DELETE core/sys/backup/', { id: row.id }),
                    }),
                },
            ]}
          />
        )}
      />
    </Screen>
  );
}
