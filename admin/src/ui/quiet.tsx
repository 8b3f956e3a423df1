import type { ReactNode } from 'react';
import styles from './quiet.module.css';

/** A paragraph in a lighter colour. */
export const Quiet = ({ children }: { children: ReactNode }) => <p className={styles.quiet}>{children}</p>;
