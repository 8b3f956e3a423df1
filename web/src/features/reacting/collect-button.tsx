import type { CollectState } from '@mozhan/contract/collections.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { lazyComponent } from '#web/lib/lazy-component.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Optional } from '#web/ui/optional.tsx';
import styles from './action-bar.module.css';
import { ActionButton } from './action-button.tsx';
import { ActionPopover, SignInHint } from './action-popover.tsx';
import { useEssayToggle } from './use-essay-toggle.ts';

const CollectFolders = lazyComponent(() => import('./collect-folders.tsx'), 'CollectFolders');

function useCollect({ id, collectCount, mine: { collected, folderId } }: Essay, onRefused: () => void) {
  const api = useApi();
  return useEssayToggle<CollectState>({
    id,
    send: (on) => api(on ? 'POST core/essay/collect' : 'DELETE core/essay/collect', { essayId: id }),
    currentState: { collected, collectCount, folderId },
    nextState: (on) => ({
      collected: on,
      collectCount: Math.max(0, collectCount + (on ? 1 : -1)),
      folderId: null,
    }),
    apply: (essay, { collected, collectCount, folderId }) => ({
      ...essay,
      collectCount,
      mine: { ...essay.mine, collected, folderId },
    }),
    onRefused,
  });
}

/** One click adds the essay to the default folder and offers the others. */
export function CollectButton({ essay }: { essay: Essay }) {
  const isSignedIn = useCurrentUser() !== null;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { toggle: collect, applyState } = useCollect(essay, close);
  const { collected, folderId } = essay.mine;

  function press(): void {
    setOpen(isSignedIn ? !collected : !isOpen);
    if (isSignedIn) void collect(!collected);
  }

  return (
    <div className={styles.item}>
      <ActionButton
        icon="star"
        label="收藏"
        count={essay.collectCount}
        aria-pressed={collected}
        onClick={press}
        onPointerEnter={() => void CollectFolders.preload().catch(() => {})}
      />
      {isOpen && !isSignedIn ? <SignInHint actionName="收藏" onClose={close} /> : null}
      {isOpen && isSignedIn && collected ? (
        <ActionPopover label="收藏到" onClose={close}>
          <Optional fallback={<p className={styles.hint}>已收藏</p>}>
            <CollectFolders essayId={essay.id} folderId={folderId} onMoved={applyState} />
          </Optional>
        </ActionPopover>
      ) : null}
    </div>
  );
}
