import { Field } from '#web/ui/field.tsx';

interface CodeFieldProps {
  name?: string;
  label: string;
  hint: string;
  error?: string;
  autoFocus?: boolean;
}

export function CodeField({ name = 'code', label, hint, error, autoFocus }: CodeFieldProps) {
  return (
    <Field
      name={name}
      label={label}
      placeholder="6 位数字"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      autoFocus={autoFocus}
      hint={hint}
      error={error}
    />
  );
}
