import { useApp } from '#admin/lib/app-context.ts';
import { beginAt, type DayRange, endAt } from '#admin/lib/day-range.ts';
import { formatDate } from '#admin/lib/format.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { DayInput } from '#admin/ui/day-input.tsx';
import styles from './range.module.css';

const spans = [
  { days: 7, label: '7 天' },
  { days: 30, label: '30 天' },
  { days: 90, label: '90 天' },
  { days: 365, label: '一年' },
];
const DEFAULT_SPAN = 30;

/** What the address asks for. */
export type Asked = { days: number } | { from: string; to?: string };

export function askedBy(search: URLSearchParams): Asked {
  const [from, to] = [search.get('from'), search.get('to')];
  if (from !== null) return to === null ? { from } : { from, to };
  const known = spans.find(({ days }) => String(days) === search.get('days'));
  return { days: known?.days ?? DEFAULT_SPAN };
}

/** The last so many days, or days of one's own choice. */
export function RangeChoice({ asked, shown }: { asked: Asked; shown: DayRange | undefined }) {
  const { router } = useApp();
  const today = formatDate(new Date().toISOString());
  const open = ({ from, to }: DayRange) => void router.navigate(`/?from=${from}&to=${to}`, { keep: true });
  return (
    <div className={styles.choice}>
      <nav className={styles.spans} aria-label="时间">
        {spans.map(({ days, label }) => (
          <Link
            key={days}
            to={days === DEFAULT_SPAN ? '/' : `/?days=${days}`}
            aria-current={'days' in asked && asked.days === days ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className={styles.days}>
        <DayInput
          label="从哪天"
          prefix="从"
          value={shown?.from}
          onChange={(day) => {
            if (day !== undefined && shown !== undefined) open(beginAt(shown, day, today));
          }}
        />
        <DayInput
          label="到哪天"
          prefix="到"
          value={shown?.to}
          onChange={(day) => {
            if (day !== undefined && shown !== undefined) open(endAt(shown, day, today));
          }}
        />
      </div>
    </div>
  );
}
