import type { ComponentProps } from 'react';
import styles from './icon-button.module.css';

type IconButtonProps = Omit<ComponentProps<'button'>, 'className' | 'aria-label'> & { label: string };

/** An icon without a frame, such as the cross that closes something. */
export const IconButton = ({ label, ...rest }: IconButtonProps) => (
  <button type="button" {...rest} className={styles.button} aria-label={label} />
);
