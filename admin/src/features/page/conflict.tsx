import type { StaffInfoPage } from '@mozhan/contract/site.ts';
import { Button, Modal } from 'antd';
import { formatDateTime } from '#admin/lib/format.ts';
import { LineDiff } from '#admin/ui/line-diff.tsx';
import { useOpenings } from '#admin/ui/use-openings.ts';
import type { Draft } from './editor.tsx';
import { asText } from './text.ts';

interface ConflictProps {
  /** What is stored by now; none: closed. */
  stored: StaffInfoPage | undefined;
  draft: Draft;
  onClose: () => void;
  onKeepMine: (stored: StaffInfoPage) => void;
  onTakeTheirs: () => void;
}

/** Somebody else has saved in between: what differs, and which one is to stay. */
export function Conflict({ stored, draft, onClose, onKeepMine, onTakeTheirs }: ConflictProps) {
  const { shown } = useOpenings(stored !== undefined, stored);
  return (
    <Modal
      closable={{ 'aria-label': '关闭' }}
      title="这一页已在别处更新"
      open={stored !== undefined}
      onCancel={onClose}
      width={760}
      footer={
        <>
          <Button onClick={onClose}>继续编辑</Button>
          <Button onClick={onTakeTheirs}>改用别处的</Button>
          <Button type="primary" danger onClick={() => shown && onKeepMine(shown)}>
            用我的覆盖
          </Button>
        </>
      }
    >
      {shown === undefined ? null : (
        <>
          <p>
            别处的版本保存于 {formatDateTime(shown.updatedAt)}
            。下面红色的是别处的文字，绿色的是你的；你写的都还在。
          </p>
          <LineDiff before={asText(shown)} after={asText(draft)} label="别处的与你的差别" />
        </>
      )}
    </Modal>
  );
}
