import type { ComponentProps } from 'react';
import styles from './icon-button.module.css';

type IconButtonProps = Omit<ComponentProps<'button'>, 'className' | 'aria-label'> & { label: string };

export const IconButton = ({ label, ...rest }: IconButtonProps) => (
  <button type="button" {...rest} className={styles.button} aria-label={label} />
);
