import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { DetailDrawer } from '#admin/ui/detail-drawer.tsx';
import { EssayRecords } from '#admin/ui/essay-records.tsx';
import { Loaded } from '#admin/ui/loaded.tsx';

interface RecordsDrawerProps {
  subject: StaffEssay | undefined;
  onClose: () => void;
}

export const RecordsDrawer = (props: RecordsDrawerProps) => (
  <DetailDrawer {...props} title={({ title }) => `「${title}」的记录`}>
    {({ id }) => (
      <Loaded route="GET core/sys/essay/record" input={{ id }} skeleton={{ title: false }}>
        {(records) => <EssayRecords records={records} />}
      </Loaded>
    )}
  </DetailDrawer>
);
