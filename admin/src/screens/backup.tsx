import { HddOutlined } from '@ant-design/icons';
import type { Backup } from '@mozhan/contract/backups.ts';
import { Button } from 'antd';
import { BackupDetail } from '#admin/features/backup/detail.tsx';
import {
  contentsText,
  isUnfinished,
  nameOf,
  StatusTag,
  sourceLabels,
  sourceText,
  statusLabels,
  statusText,
} from '#admin/features/backup/labels.tsx';
import { BackupPlanPanel } from '#admin/features/backup/plan.tsx';
import { useIsBackupRunning } from '#admin/features/backup/use-is-backup-running.ts';
import { formatBytes } from '#admin/lib/format.ts';
import { useAction } from '#admin/lib/queries.ts';
import { Can } from '#admin/ui/can.tsx';
import { line, text, time } from '#admin/ui/columns.tsx';
import { optionsOf } from '#admin/ui/labels.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';

export function Page() {
  const act = useAction();
  const isBackupRunning = useIsBackupRunning();
  return (
    <ResourceScreen
      name="backup"
      title="备份"
      intro="整个网站的一份拷贝：全部数据和上传的文件。备份时网站照常运行"
      actions={
        <Can permission="backup:create">
          <Button
            type="primary"
            icon={<HddOutlined aria-hidden />}
            disabled={isBackupRunning}
            onClick={() => void act((api) => api('POST core/sys/backup/', {}), '已开始备份')}
          >
            {isBackupRunning ? '正在备份' : '立即备份'}
          </Button>
        </Can>
      }
      list={paged('GET core/sys/backup/')}
      nameOf={nameOf}
      columns={[
        time('createdAt', '开始时间'),
        { key: 'madeBy', title: '来源', text: sourceText },
        { key: 'status', title: '状态', text: statusText, show: (row) => <StatusTag backup={row} /> },
        {
          key: 'bytes',
          title: '大小',
          align: 'end',
          text: (row) => (row.bytes === null ? '-' : formatBytes(row.bytes)),
        },
        { key: 'contents', title: '内容', text: contentsText },
        line.of('message', '说明', (row: Backup) => (row.status === 'failed' ? row.message : null)),
        text('name', '文件名', { hidden: true }),
      ]}
      filters={[
        { name: 'madeBy', label: '来源', options: optionsOf(sourceLabels) },
        { name: 'status', label: '状态', options: optionsOf(statusLabels) },
      ]}
      expanded={(row) => <BackupDetail backup={row} />}
      rowActions={[
        {
          label: '下载',
          permission: 'backup:download',
          when: (row) => row.status === 'done' && row.isHere,
          ask: (row) => ({
            title: `下载「${nameOf(row)}」？`,
            text: '备份里有全站内容、私信和密码的摘要，请妥善保管；这次下载会记入操作日志。',
          }),
          run: async (api, { id }) => location.assign((await api('POST core/sys/backup/link', { id })).url),
          done: '已开始下载',
        },
      ]}
      remove={{
        permission: 'backup:remove',
        when: (row) => !isUnfinished(row),
        run: (api, { id }) => api('DELETE core/sys/backup/', { id }),
        text: '文件会一并删除，不能恢复。',
      }}
      bulk={false}
    >
      <BackupPlanPanel />
    </ResourceScreen>
  );
}
