import type { ComponentProps, ReactNode } from 'react';
import { Skeleton } from './skeleton.tsx';

type Width = NonNullable<ComponentProps<typeof Skeleton>['width']>;
type Height = NonNullable<ComponentProps<typeof Skeleton>['height']>;

/** The width of a line and, unless it is small, its height. */
export type Line = Width | `${Width} ${Height}`;

/** The shape of some lines. */
export const Skeletons = ({ lines }: { lines: readonly Line[] }) =>
  lines.map((line, index) => {
    const [width, height] = line.split(' ') as [Width, Height?];
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
    return <Skeleton key={index} width={width} height={height} />;
  });

interface SkeletonRowsProps {
  className: string | undefined;
  /** Of the first line of each row. */
  widths?: readonly Width[];
  /** The lines below it. */
  rest?: readonly Line[];
}

/** The shape of some rows. */
export const SkeletonRows = ({ className, widths = ['50', '70', '30'], rest = [] }: SkeletonRowsProps) =>
  widths.map((width) => (
    <div key={width} className={className}>
      <Skeletons lines={[`${width} m`, ...rest]} />
    </div>
  ));

interface WaitingProps {
  className?: string | undefined;
  lines?: readonly Line[];
  children?: ReactNode;
}

/** The shape of what is on its way. */
export const Waiting = ({ className, lines = [], children }: WaitingProps) => (
  <>
    <p className="sr" role="status">
      正在载入…
    </p>
    <div className={className} aria-hidden="true">
      <Skeletons lines={lines} />
      {children}
    </div>
  </>
);
