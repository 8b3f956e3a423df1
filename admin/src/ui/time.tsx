import { formatDateTime, timeAgo } from '#admin/lib/format.ts';

/** How long ago, exact on hover. */
export function TimeAgo({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {timeAgo(at)}
    </time>
  );
}
