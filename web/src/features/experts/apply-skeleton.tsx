import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';

/** Placeholder for the form until the application is loaded. */
export const ApplySkeleton = () => (
  <div data-for="member">
    <LoadingSkeleton className="stack gap-3" lines={['30', '100 l', '30', '100 l']} />
  </div>
);
