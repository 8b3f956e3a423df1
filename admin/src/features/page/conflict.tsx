import type { StaffPage } from '@mozhan/contract/site.ts';
import { Button, Modal } from 'antd';
import { formatDateTime } from '#admin/lib/format.ts';
import { LineDiff } from '#admin/ui/line-diff.tsx';
import { useLastOpened } from '#admin/ui/use-last-opened.ts';
import { toComparableText } from './comparable-text.ts';
import type { Draft } from './editor.tsx';

interface ConflictProps {
  /** The version on the server; undefined while closed. */
  stored: StaffPage | undefined;
  draft: Pick<Draft, 'title' | 'content'>;
  onClose: () => void;
  onKeepMine: (stored: StaffPage) => void;
  onUseTheirs: () => void;
}

/** Edit conflict: displays the difference and lets the user choose a version. */
export function Conflict({ stored, draft, onClose, onKeepMine, onUseTheirs }: ConflictProps) {
  const { displayed } = useLastOpened(stored !== undefined, stored);
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
          <Button onClick={onUseTheirs}>改用别处的</Button>
          <Button type="primary" danger onClick={() => displayed && onKeepMine(displayed)}>
            用我的覆盖
          </Button>
        </>
      }
    >
      {displayed === undefined ? null : (
        <>
          <p>
            别处的版本保存于 {formatDateTime(displayed.updatedAt)}
            。下面红色的是别处的文字，绿色的是你的；你写的都还在。
          </p>
          <LineDiff
            before={toComparableText(displayed)}
            after={toComparableText(draft)}
            label="别处的与你的差别"
          />
        </>
      )}
    </Modal>
  );
}
