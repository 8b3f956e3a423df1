import { useState } from 'react';
import { PasswordField } from '#web/ui/field.tsx';
import styles from './form.module.css';
import { passwordStrength } from './password-strength.ts';

interface NewPasswordFieldProps {
  name: string;
  label: string;
  account?: string;
  error?: string;
}

export function NewPasswordField({ name, label, account, error }: NewPasswordFieldProps) {
  const [text, setText] = useState('');
  const { level, advice } = passwordStrength(text, account);
  const hint = (
    <span className={styles.strength}>
      <span className={styles.bars} data-level={level} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {advice}
    </span>
  );
  return (
    <PasswordField
      name={name}
      label={label}
      autoComplete="new-password"
      maxLength={128}
      hint={hint}
      error={error}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}
