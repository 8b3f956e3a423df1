import { useState } from 'react';
import { Field } from '#web/ui/field.tsx';

const LEAST = 100;
const MOST = 100_000;

interface PriceFieldProps {
  /** In fen. */
  price: number;
  error: string | undefined;
  onChange: (fen: number) => void;
  onProblem: (sentence: string) => void;
}

const toText = (fen: number): string => (fen === 0 ? '' : String(fen / 100));

/** In yuan; empty or 0 is free. What is half typed stays here and is not saved. */
export function PriceField({ price, error, onChange, onProblem }: PriceFieldProps) {
  const [typed, setTyped] = useState(toText(price));

  function onType(text: string): void {
    setTyped(text);
    const fen = Math.round(Number(text || 0) * 100);
    if (fen === 0 || (fen >= LEAST && fen <= MOST)) onChange(fen);
    else onProblem('价格从 1 元到 1000 元，或免费');
  }

  return (
    <Field
      name="price"
      label="价格（元）"
      inputMode="decimal"
      placeholder="免费"
      value={typed}
      error={error}
      onChange={({ target }) =>
        onType(target.value.replace(/[^\d.]/g, '').replace(/^(\d*\.?\d{0,2}).*$/, '$1'))
      }
    />
  );
}
