import { useApp } from '#admin/lib/app-context.ts';
import { type DayRange, withEnd, withStart } from '#admin/lib/day-range.ts';
import { formatDate } from '#admin/lib/format.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { DayInput } from './day-input.tsx';
import styles from './range-picker.module.css';

const presets = [
  { days: 7, label: '7 天' },
  { days: 30, label: '30 天' },
  { days: 90, label: '90 天' },
  { days: 365, label: '一年' },
];
const DEFAULT_DAYS = 30;

/** Date range in the URL. */
export type RequestedRange = { days: number } | { from: string; to?: string };

export function readRequestedRange(search: URLSearchParams): RequestedRange {
  const [from, to] = [search.get('from'), search.get('to')];
  if (from !== null) return to === null ? { from } : { from, to };
  const known = presets.find(({ days }) => String(days) === search.get('days'));
  return { days: known?.days ?? DEFAULT_DAYS };
}

interface RangePickerProps {
  /** The screen whose URL has the range. */
  path: string;
  requested: RequestedRange;
  /** Undefined until the server has answered. */
  displayed: DayRange | undefined;
}

/** Selects a preset number of days or a custom range. */
export function RangePicker({ path, requested, displayed }: RangePickerProps) {
  const { router } = useApp();
  const today = formatDate(new Date().toISOString());
  const open = ({ from, to }: DayRange) =>
    void router.navigate(`${path}?from=${from}&to=${to}`, { sameScreen: true });
  return (
    <div className={styles.choice}>
      <nav className={styles.spans} aria-label="时间">
        {presets.map(({ days, label }) => (
          <Link
            key={days}
            to={days === DEFAULT_DAYS ? path : `${path}?days=${days}`}
            aria-current={'days' in requested && requested.days === days ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className={styles.days}>
        <DayInput
          label="开始日期"
          prefix="从"
          value={displayed?.from}
          onChange={(day) => {
            if (day !== undefined && displayed !== undefined) open(withStart(displayed, day, today));
          }}
        />
        <DayInput
          label="结束日期"
          prefix="到"
          value={displayed?.to}
          onChange={(day) => {
            if (day !== undefined && displayed !== undefined) open(withEnd(displayed, day, today));
          }}
        />
      </div>
    </div>
  );
}
