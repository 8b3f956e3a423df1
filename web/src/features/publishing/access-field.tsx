import { formatPriceTag, isReadPrice, parseYuan, toYuan } from '@mozhan/contract/money.ts';
import { useState } from 'react';
import type { Draft } from '#web/features/writing/draft.ts';
import { useCall } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup, Field, SelectField, SwitchField } from '#web/ui/field.tsx';
import { type Access, accessHint, accessOf, DEFAULT_PRICE, toAccess } from './access.ts';
import styles from './publish-drawer.module.css';

const choices: { value: Access; label: string }[] = [
  { value: 'free', label: '免费' },
  { value: 'member', label: '会员' },
  { value: 'paid', label: '付费' },
];

const percents = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90].map((percent) => ({
  value: String(percent),
  label: percent === 0 ? '不给试读' : `前 ${percent}%`,
}));

const toText = (fen: number): string => toYuan(fen).replace(/\.00$/, '');

interface AccessFieldProps {
  draft: Draft;
  errors: Record<string, string>;
  onChange: (changes: Partial<Draft>) => void;
  onInvalidPrice: (message: string) => void;
}

/** Who reads the full text, and how much of it the others read. */
export function AccessField({ draft, errors, onChange, onInvalidPrice }: AccessFieldProps) {
  const access = accessOf(draft);
  const { tiers = [] } = useCall('GET core/fina/price/').data ?? {};
  const offers = tiers.filter(({ kind, enabled }) => kind === 'read' && enabled).map(({ amount }) => amount);
  const [lastPrice, setLastPrice] = useState(draft.price);
  const [typed, setTyped] = useState(toText(draft.price));

  function choose(next: Access): void {
    const price = lastPrice || offers[0] || DEFAULT_PRICE;
    setTyped(toText(price));
    onChange(toAccess(next, draft, price));
  }

  function onType(text: string): void {
    setTyped(text);
    const fen = parseYuan(text);
    if (fen === null || !isReadPrice(fen)) {
      onInvalidPrice('价格从 1 元到 1000 元');
      return;
    }
    setLastPrice(fen);
    onChange({ price: fen });
  }

  const previewField = (
    <SelectField
      name="previewPercent"
      label="试读"
      options={percents}
      value={String(draft.previewPercent)}
      error={errors.previewPercent}
      onChange={({ target }) => onChange({ previewPercent: Number(target.value) })}
    />
  );
  return (
    <div className="stack gap-3">
      <ChoiceGroup
        name="access"
        legend="谁能读全文"
        options={choices}
        value={access}
        hint={accessHint(access, draft.previewPercent)}
        onChange={(next) => choose(next as Access)}
      />
      {access === 'member' ? <div className={styles.two}>{previewField}</div> : null}
      {access === 'paid' ? (
        <>
          <div className={styles.two}>
            <Field
              name="price"
              label="价格（元）"
              inputMode="decimal"
              value={typed}
              error={errors.price}
              onChange={({ target }) =>
                onType(target.value.replace(/[^\d.]/g, '').replace(/(\.\d{0,2}).*/, '$1'))
              }
            />
            {previewField}
          </div>
          {offers.length === 0 ? null : (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
            <div className={`flex wraps gap-2 ${styles.tiers}`} role="group" aria-label="建议的定价">
              {offers.map((fen) => (
                <Button
                  key={fen}
                  size="small"
                  aria-pressed={fen === draft.price}
                  onClick={() => onType(toText(fen))}
                >
                  {formatPriceTag(fen)}
                </Button>
              ))}
            </div>
          )}
          <SwitchField
            name="memberFree"
            label="会员不用另买"
            checked={draft.memberFree}
            onChange={({ target }) => onChange({ memberFree: target.checked })}
          />
        </>
      ) : null}
    </div>
  );
}
