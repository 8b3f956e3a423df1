import type { ComponentProps } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import styles from './action-bar.module.css';

interface FaceProps {
  icon: IconName;
  /** Stands there until there is something to count. */
  word: string;
  count: number;
}

export const ActionFace = ({ icon, word, count }: FaceProps) => (
  <>
    <span className={styles.face}>
      <Icon name={icon} />
    </span>
    <span>{count === 0 ? word : formatCount(count)}</span>
  </>
);

export const actionLabel = (word: string, count: number) =>
  count === 0 ? word : `${word}，${formatCount(count)}`;

type ActionProps = FaceProps &
  Pick<ComponentProps<'button'>, 'aria-pressed' | 'aria-haspopup' | 'onClick' | 'onPointerEnter' | 'onFocus'>;

/** One thing to do with an essay: a picture and its number. */
export const Action = ({ icon, word, count, ...button }: ActionProps) => (
  <button type="button" className={styles.act} aria-label={actionLabel(word, count)} {...button}>
    <ActionFace icon={icon} word={word} count={count} />
  </button>
);
