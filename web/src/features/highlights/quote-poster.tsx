import type { Essay } from '@mozhan/contract/essays.ts';
import { PosterPanel } from '#web/features/reacting/share-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import styles from './highlights.module.css';

interface QuotePosterProps extends DialogOpenProps {
  essay: Essay;
  words: string;
}

/** Posters are public, so the server draws only words that everyone may read. */
export const QuotePoster = ({ essay, words, open, onOpenChange }: QuotePosterProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="金句海报"
    description={essay.price > 0 || essay.memberFree ? '付费的部分不能做成海报。' : undefined}
  >
    <div className={`stack gap-4 ink-2 text-center ${styles.poster}`}>
      <PosterPanel essay={essay} quote={words} />
    </div>
  </Dialog>
);
