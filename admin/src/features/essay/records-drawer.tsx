import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { useQuery } from '@tanstack/react-query';
import { Drawer, Skeleton } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { EssayRecords } from '#admin/ui/essay-records.tsx';
import { Failed } from '#admin/ui/screen.tsx';
import { useOpenings } from '#admin/ui/use-openings.ts';

interface RecordsDrawerProps {
  subject: StaffEssay | undefined;
  onClose: () => void;
}

function Records({ id }: { id: string }) {
  const { api } = useApp();
  const { data, error, refetch } = useQuery(call(api, 'GET core/sys/essay/record', { id }));
  if (data !== undefined) return <EssayRecords records={data} />;
  return error === null ? (
    <Skeleton active title={false} />
  ) : (
    <Failed error={error} onRetry={() => void refetch()} />
  );
}

/** What has happened to an essay so far. */
export function RecordsDrawer({ subject, onClose }: RecordsDrawerProps) {
  const { shown } = useOpenings(subject !== undefined, subject);
  return (
    <Drawer
      title={`「${shown?.title}」的记录`}
      open={subject !== undefined}
      onClose={onClose}
      size={Math.min(480, innerWidth)}
      closable={{ 'aria-label': '关闭' }}
      // Closed, it asks for nothing: the essay may be gone by then.
      destroyOnHidden
    >
      {shown === undefined ? null : <Records id={shown.id} />}
    </Drawer>
  );
}
