import type { Client } from '@mozhan/contract/client.ts';
import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { Button } from 'antd';
import { useBatch } from '#admin/lib/batch.tsx';
import { useConfirm } from './confirm.ts';
import { enabledText } from './enabled-tag.tsx';

interface BatchButtonsProps<T> {
  /** 分类, 金额 … */
  kind: string;
  rows: T[];
  /** As the table gives it. */
  choose: (left?: T[]) => void;
  nameOf: (row: T) => string;
  /** Undefined: may not, or cannot. */
  setEnabled?: ((api: Client, row: T, enabled: Flag) => Promise<unknown>) | undefined;
  /** What disabling does, where it is to be thought over. */
  disableText?: string;
  remove?: ((api: Client, row: T) => Promise<unknown>) | undefined;
  /** What becomes of the removed ones, where that is not plain. */
  removeText?: string;
}

/** Enables, disables or removes the chosen rows. */
export function BatchButtons<T extends { id: string; enabled?: Flag }>(props: BatchButtonsProps<T>) {
  const {
    kind,
    rows,
    choose,
    nameOf,
    setEnabled,
    disableText,
    remove,
    removeText = '删除后不能恢复。',
  } = props;
  const confirm = useConfirm();
  const batch = useBatch();

  async function enable(enabled: Flag): Promise<void> {
    if (setEnabled === undefined) return;
    const changing = rows.filter((row) => row.enabled !== enabled);
    if (enabled === FLAG.off && disableText !== undefined) {
      const title = `停用这 ${changing.length} 个${kind}？`;
      if (!(await confirm({ title, text: disableText, action: '停用', danger: true }))) return;
    }
    choose(
      await batch({
        verb: enabledText(enabled),
        rows: changing,
        nameOf,
        work: (api, row) => setEnabled(api, row, enabled),
      }),
    );
  }

  async function removeAll(): Promise<void> {
    if (remove === undefined) return;
    const title = `删除这 ${rows.length} 个${kind}？`;
    if (!(await confirm({ title, text: removeText, action: '删除', danger: true }))) return;
    choose(await batch({ verb: '删除', rows, nameOf, work: remove }));
  }

  const offers = (enabled: Flag) => setEnabled !== undefined && rows.some((row) => row.enabled !== enabled);
  return (
    <>
      {([FLAG.on, FLAG.off] as const).filter(offers).map((enabled) => (
        <Button key={enabled} size="small" onClick={() => void enable(enabled)}>
          {enabledText(enabled)}
        </Button>
      ))}
      {remove === undefined || rows.length === 0 ? null : (
        <Button size="small" danger onClick={() => void removeAll()}>
          删除
        </Button>
      )}
    </>
  );
}
