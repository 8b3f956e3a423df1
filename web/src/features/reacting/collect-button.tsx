import type { CollectState } from '@mozhan/contract/collections.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Optional } from '#web/ui/optional.tsx';
import { Action } from './action.tsx';
import styles from './action-bar.module.css';
import { ActionPopover, SignInHint } from './action-popover.tsx';
import { useEssayWish } from './use-essay-wish.ts';

const load = () => import('./collect-folders.tsx');
const CollectFolders = lazyPart(load, 'CollectFolders');

function useCollect({ id, collectCount, mine: { collected, folderId } }: Essay, onRefused: () => void) {
  const api = useApi();
  return useEssayWish<CollectState>({
    id,
    send: (on) => api(on ? 'POST core/essay/collect' : 'DELETE core/essay/collect', { essayId: id }),
    now: { collected, collectCount, folderId },
    next: (on) => ({
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

/** One press puts it into the default folder, and offers the others. */
export function CollectButton({ essay }: { essay: Essay }) {
  const isSignedIn = useCurrentUser() !== null;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { wish: collect, show } = useCollect(essay, close);
  const { collected, folderId } = essay.mine;

  function press(): void {
    setOpen(isSignedIn ? !collected : !isOpen);
    if (isSignedIn) void collect(!collected);
  }

  return (
    <div className={styles.item}>
      <Action
        icon="star"
        word="收藏"
        count={essay.collectCount}
        aria-pressed={collected}
        onClick={press}
        onPointerEnter={() => void load().catch(() => {})}
      />
      {isOpen && !isSignedIn ? <SignInHint to="收藏" onClose={close} /> : null}
      {isOpen && isSignedIn && collected ? (
        <ActionPopover label="收藏到" onClose={close}>
          <Optional fallback={<p className={styles.hint}>已收藏</p>}>
            <CollectFolders essayId={essay.id} folderId={folderId} onMoved={show} />
          </Optional>
        </ActionPopover>
      ) : null}
    </div>
  );
}
