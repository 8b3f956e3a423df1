import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';

interface OptionalProps {
  /** Stands in its place until it is there, and for good when it cannot be fetched. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** A part whose code is fetched on its own: the page goes on without one that does not come. */
export const Optional = ({ fallback = null, children }: OptionalProps) => (
  <ErrorBoundary resetBy={null} fallback={fallback}>
    <Suspense fallback={fallback}>{children}</Suspense>
  </ErrorBoundary>
);
