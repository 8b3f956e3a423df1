import { formatPriceTag, parseYuan, toYuan } from '@mozhan/contract/money.ts';
import { type ReactNode, useState } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import styles from './publish-drawer.module.css';

const MIN_PRICE = 100;
const MAX_PRICE = 100_000;

interface PriceFieldProps {
  /** In fen. */
  price: number;
  error: string | undefined;
  /** The field in the same row. */
  adjacentField: ReactNode;
  onChange: (fen: number) => void;
  onInvalid: (message: string) => void;
}

const toText = (fen: number): string => (fen === 0 ? '' : toYuan(fen).replace(/\.00$/, ''));

/** Edits the price in yuan; empty or 0 is free. An incomplete input is not saved. */
export function PriceField({ price, error, adjacentField, onChange, onInvalid }: PriceFieldProps) {
  const [typed, setTyped] = useState(toText(price));
  const { tiers = [] } = useCall('GET core/fina/price/').data ?? {};
  const offeredTiers = tiers.filter(({ kind, enabled }) => kind === 'read' && enabled);

  function onType(text: string): void {
    setTyped(text);
    const fen = text === '' ? 0 : parseYuan(text);
    if (fen === 0 || (fen !== null && fen >= MIN_PRICE && fen <= MAX_PRICE)) onChange(fen);
    else onInvalid('价格从 1 元到 1000 元，或免费');
  }

  return (
    <div className="stack gap-2">
      <div className={styles.two}>
        <Field
          name="price"
          label="价格（元）"
          inputMode="decimal"
          placeholder="免费"
          value={typed}
          error={error}
          onChange={({ target }) =>
            onType(target.value.replace(/[^\d.]/g, '').replace(/(\.\d{0,2}).*/, '$1'))
          }
        />
        {adjacentField}
      </div>
      {offeredTiers.length === 0 ? null : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
        <div className={`flex wraps gap-2 ${styles.tiers}`} role="group" aria-label="建议的定价">
          {[0, ...offeredTiers.map(({ amount }) => amount)].map((fen) => (
            <Button key={fen} size="small" aria-pressed={fen === price} onClick={() => onType(toText(fen))}>
              {fen === 0 ? '免费' : formatPriceTag(fen)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
