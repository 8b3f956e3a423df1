import { Waiting } from '#web/ui/waiting.tsx';
import styles from './apply-waiting.module.css';

/** The shape of the form, until it is known what to show. */
export const ApplyWaiting = () => (
  <div data-for="member">
    <Waiting className={styles.blank} lines={['30', '100 l', '30', '100 l']} />
  </div>
);
