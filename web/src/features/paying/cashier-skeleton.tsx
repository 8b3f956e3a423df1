import { SkeletonLines } from '#web/ui/loading-skeleton.tsx';

export const CashierSkeleton = () => (
  <>
    <p className="sr" role="status">
      正在载入…
    </p>
    <SkeletonLines lines={['70', '82', '100 l', '100 l']} />
  </>
);
