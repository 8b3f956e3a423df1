import { formatDateTime, timeAgo } from '#admin/lib/format.ts';

export function TimeAgo({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {timeAgo(at)}
    </time>
  );
}
