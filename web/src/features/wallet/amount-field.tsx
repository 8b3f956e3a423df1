import type { ReactNode } from 'react';
import { Field } from '#web/ui/field.tsx';

interface AmountFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  hint?: ReactNode;
  aside?: ReactNode;
  error?: string;
}

export const AmountField = ({ onChange, ...rest }: AmountFieldProps) => (
  <Field
    name="amount"
    inputMode="decimal"
    autoComplete="off"
    placeholder="0.00"
    maxLength={12}
    onChange={({ target }) => onChange(target.value)}
    {...rest}
  />
);
