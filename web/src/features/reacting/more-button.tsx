import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useState } from 'react';
import { ReportButton } from '#web/features/reports/report-button.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';
import styles from './action-bar.module.css';
import { ActionPopover } from './action-popover.tsx';
import menu from './more-button.module.css';
import { ReadingTools } from './reading-tools.tsx';

const loadPlayer = () => import('./read-aloud.tsx').then(({ ReadAloud }) => ReadAloud);

/** Everything that has no button of its own: the look of the text, reading aloud, downloads, reporting. */
export function MoreButton({ essay, hasContents = false }: { essay: Essay; hasContents?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const canSpeak = useHydrated() && 'speechSynthesis' in window;
  const player = useLazyDialog(loadPlayer);
  return (
    <div className={styles.item}>
      <button
        type="button"
        className={styles.act}
        aria-label="更多"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.face}>
          <Icon name="more" />
        </span>
        <span>更多</span>
      </button>
      {isOpen ? (
        <ActionPopover label="更多" onClose={() => setOpen(false)}>
          <ReadingTools hasContents={hasContents} />
          <ul className={menu.list}>
            {canSpeak ? (
              <li>
                <button
                  type="button"
                  onClick={() => {
                    setOpen(false);
                    player.open();
                  }}
                >
                  <Icon name="speaker" small />
                  朗读
                </button>
              </li>
            ) : null}
            {essay.locked === null ? (
              <li>
                <button
                  type="button"
                  onClick={() => {
                    setOpen(false);
                    document.getElementById('downloads')?.scrollIntoView({ block: 'center' });
                  }}
                >
                  <Icon name="download" small />
                  下载与打印
                </button>
              </li>
            ) : null}
            {essay.status === ESSAY_STATUS.onShelf ? (
              <li>
                <ReportButton kind="essay" targetId={essay.id}>
                  <Icon name="flag" small />
                  举报
                </ReportButton>
              </li>
            ) : null}
          </ul>
        </ActionPopover>
      ) : null}
      {player.dialog({})}
    </div>
  );
}
