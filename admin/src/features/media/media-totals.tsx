import type { UploadKind } from '@mozhan/contract/uploads.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { formatBytes } from '#admin/lib/format.ts';
import { useAction } from '#admin/lib/queries.ts';
import { Can } from '#admin/ui/can.tsx';
import { useConfirm } from '#admin/ui/confirm.ts';
import { Loaded } from '#admin/ui/loaded.tsx';
import { Card } from '#admin/ui/screen.tsx';
import styles from './media.module.css';

interface MediaTotalsProps {
  kind: UploadKind;
  noun: string;
  unit: string;
}

/** How much is stored, and a button that removes everything unused. */
export function MediaTotals({ kind, noun, unit }: MediaTotalsProps) {
  const act = useAction();
  const confirm = useConfirm();
  const [isBusy, setBusy] = useState(false);

  async function clean(count: number, bytes: number): Promise<void> {
    const title = `删除 ${count} ${unit}没有用到的${noun}？`;
    const text = `共 ${formatBytes(bytes)}。没有任何地方用到它们，删除后不能恢复。`;
    if (!(await confirm({ title, text, action: '全部删除', danger: true }))) return;
    setBusy(true);
    await act(
      async (api) => {
        const sum = { count: 0, bytes: 0 };
        let hasMore = true;
        while (hasMore) {
          const part = await api('POST core/sys/media/clean', { kind });
          sum.count += part.count;
          sum.bytes += part.bytes;
          hasMore = part.more;
        }
        return sum;
      },
      (sum) => `已删除 ${sum.count} ${unit}，共 ${formatBytes(sum.bytes)}`,
    );
    setBusy(false);
  }

  return (
    <Card>
      <Loaded route="GET core/sys/media/total" skeleton={{ title: false, paragraph: { rows: 1 } }}>
        {({ [kind]: { bytes, unused } }) => (
          <div className={styles.totals}>
            <p>
              {noun}共 <strong>{formatBytes(bytes)}</strong>；
              {unused.count === 0 ? (
                '没有可以清理的'
              ) : (
                <>
                  没有用到、可以清理的有{' '}
                  <strong>
                    {unused.count} {unit}
                  </strong>
                  ，共 {formatBytes(unused.bytes)}
                </>
              )}
            </p>
            <Can permission="media:remove">
              <Button
                danger
                loading={isBusy}
                disabled={unused.count === 0}
                onClick={() => void clean(unused.count, unused.bytes)}
              >
                清理未使用的{noun}
              </Button>
            </Can>
          </div>
        )}
      </Loaded>
    </Card>
  );
}
