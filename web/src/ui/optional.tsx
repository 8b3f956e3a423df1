import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';

interface OptionalProps {
  /** Shown while loading and when loading fails. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** A lazily loaded part of the page that is left out if its code cannot be loaded. */
export const Optional = ({ fallback = null, children }: OptionalProps) => (
  <ErrorBoundary resetKey={null} fallback={fallback}>
    <Suspense fallback={fallback}>{children}</Suspense>
  </ErrorBoundary>
);
