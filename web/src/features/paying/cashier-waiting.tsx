import { Skeleton } from '#web/ui/skeleton.tsx';

export const CashierWaiting = () => (
  <>
    <p className="sr" role="status">
      正在载入…
    </p>
    <Skeleton width="70" />
    <Skeleton width="82" />
    <Skeleton height="l" />
    <Skeleton height="l" />
  </>
);
