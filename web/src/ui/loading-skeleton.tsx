import type { ComponentProps, ReactNode } from 'react';
import { Skeleton } from './skeleton.tsx';

type Width = NonNullable<ComponentProps<typeof Skeleton>['width']>;
type Height = NonNullable<ComponentProps<typeof Skeleton>['height']>;

/** Width of a line and optionally its height. */
export type SkeletonLine = Width | `${Width} ${Height}`;

export const SkeletonLines = ({ lines }: { lines: readonly SkeletonLine[] }) =>
  lines.map((line, index) => {
    const [width, height] = line.split(' ') as [Width, Height?];
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines are static
    return <Skeleton key={index} width={width} height={height} />;
  });

interface SkeletonRowsProps {
  className: string | undefined;
  /** Widths of the first line of each row. */
  widths?: readonly Width[];
  rest?: readonly SkeletonLine[];
}

export const SkeletonRows = ({ className, widths = ['50', '70', '30'], rest = [] }: SkeletonRowsProps) =>
  widths.map((width) => (
    <div key={width} className={className}>
      <SkeletonLines lines={[`${width} m`, ...rest]} />
    </div>
  ));

interface LoadingSkeletonProps {
  className?: string | undefined;
  lines?: readonly SkeletonLine[];
  children?: ReactNode;
}

/** Skeleton of loading content, with a status text for screen readers. */
export const LoadingSkeleton = ({ className, lines = [], children }: LoadingSkeletonProps) => (
  <>
    <p className="sr" role="status">
      正在载入…
    </p>
    <div className={className} aria-hidden="true">
      <SkeletonLines lines={lines} />
      {children}
    </div>
  </>
);
