import type { ComponentProps } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import styles from './action-bar.module.css';

interface ActionContentProps {
  icon: IconName;
  /** Displayed instead of a count of zero. */
  label: string;
  count: number;
}

export const ActionContent = ({ icon, label, count }: ActionContentProps) => (
  <>
    <span className={styles.face}>
      <Icon name={icon} />
    </span>
    <span>{count === 0 ? label : formatCount(count)}</span>
  </>
);

export const actionLabel = (label: string, count: number) =>
  count === 0 ? label : `${label}，${formatCount(count)}`;

type ActionButtonProps = ActionContentProps &
  Pick<ComponentProps<'button'>, 'aria-pressed' | 'aria-haspopup' | 'onClick' | 'onPointerEnter' | 'onFocus'>;

export const ActionButton = ({ icon, label, count, ...button }: ActionButtonProps) => (
  <button type="button" className={styles.act} aria-label={actionLabel(label, count)} {...button}>
    <ActionContent icon={icon} label={label} count={count} />
  </button>
);
