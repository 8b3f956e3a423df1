import type { ComponentProps } from 'react';
import styles from './icon-button.module.css';

type IconButtonProps = Omit<ComponentProps<'button'>, 'className' | 'aria-label'> & { label: string };

/** An icon without a frame, such as the cross that closes something. */
export const IconButton = ({ label, type = 'button', ...rest }: IconButtonProps) => (
  <button {...rest} type={type} className={styles.button} aria-label={label} />
);
