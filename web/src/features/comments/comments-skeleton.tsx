import { SkeletonLines } from '#web/ui/loading-skeleton.tsx';
import styles from './comments.module.css';

/** So many comments are hardly ever lower than a screen. */
const MANY = 6;
const FEW = 3;

/** About as high as the comments will be, so that what follows them does not move when they appear. */
export const CommentsSkeleton = ({ count }: { count: number }) => (
  <div
    className={`stack gap-3 ${styles.waiting}`}
    data-expected={count >= MANY ? 'many' : count >= FEW ? 'few' : undefined}
    aria-hidden="true"
  >
    <SkeletonLines lines={['30', '82', '50']} />
  </div>
);
