import { Skeleton } from '#web/ui/skeleton.tsx';

/** The shape of the form, until it is known what to show. */
export const ApplyWaiting = () => (
  <div data-for="member">
    <p className="sr" role="status">
      正在载入…
    </p>
    <div className="stack gap-3" aria-hidden="true">
      <Skeleton width="30" />
      <Skeleton height="l" />
      <Skeleton width="30" />
      <Skeleton height="l" />
    </div>
  </div>
);
