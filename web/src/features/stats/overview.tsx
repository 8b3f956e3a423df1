import type { Output } from '@mozhan/contract/client.ts';
import { useState } from 'react';
import { ComparisonPlot } from '#web/ui/comparison-plot.tsx';
import { compare, tiles } from './compare.ts';
import styles from './overview.module.css';

type Stats = Output<'GET core/user/stat'>;

/** Formats as 11-03. */
const shortDay = (day: string): string => day.slice(5);

/** Four sums with the period before; the chosen one is plotted below. */
export function Overview({ stats: { days, before } }: { stats: Stats }) {
  const [chosen, setChosen] = useState<(typeof tiles)[number]['key']>('reads');
  const [at, setAt] = useState<number | null>(null);
  const tile = tiles.find(({ key }) => key === chosen) ?? tiles[0];
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
      <div className={styles.tiles} role="group" aria-label="看哪个数字">
        {tiles.map(({ key, label, of, format }) => {
          const now = days.reduce((sum, day) => sum + of(day), 0);
          const { text, trend } = compare(
            now,
            before.reduce((sum, day) => sum + of(day), 0),
          );
          return (
            <button key={key} type="button" aria-pressed={key === chosen} onClick={() => setChosen(key)}>
              <span>{label}</span>
              <strong>{format(now)}</strong>
              <small data-trend={trend}>{text}</small>
            </button>
          );
        })}
      </div>
      <ComparisonPlot
        label={tile.label}
        points={days.map((day, index) => {
          const previous = before[index];
          return {
            name: shortDay(day.day),
            value: tile.of(day),
            before: previous === undefined ? 0 : tile.of(previous),
          };
        })}
        format={tile.format}
        unit={tile.unit}
        at={at !== null && at < days.length ? at : null}
        onSelect={setAt}
      />
    </div>
  );
}
