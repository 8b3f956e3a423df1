import { useState } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ChoiceGroup } from '#web/ui/field.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';

interface MoveDialogProps extends DialogOpenProps {
  count: number;
  onMove: (columnId: string | null) => void;
}

const NO_COLUMN = '';

export function MoveDialog({ open, onOpenChange, count, onMove }: MoveDialogProps) {
  const { data } = useCall('GET core/essay/column', { pageSize: 50 });
  const [chosen, setChosen] = useState<string>();
  const columns = data !== undefined && 'list' in data ? data.list : [];
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={count > 1 ? `把 ${count} 篇文章移到` : '把这篇文章移到'}
      description="马上生效，不用重新审核。"
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>取消</Button>
          <Button
            variant="primary"
            busy={chosen === undefined}
            onClick={() => {
              onOpenChange(false);
              onMove(chosen || null);
            }}
          >
            移动
          </Button>
        </>
      }
    >
      <ChoiceGroup
        name="columnId"
        legend="专栏"
        options={[
          ...columns.map(({ id, name }) => ({ value: id, label: name })),
          { value: NO_COLUMN, label: '不放进专栏' },
        ]}
        value={chosen ?? ' '}
        onChange={setChosen}
      />
    </Dialog>
  );
}
