import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'> {
  /** The name under which the form sends it and the server names its errors. */
  name: string;
  label: string;
  /** Beside the label, at its end. */
  aside?: ReactNode;
  hint?: ReactNode;
  error?: string;
}

interface FrameProps extends Pick<FieldProps, 'label' | 'aside' | 'hint' | 'error'> {
  id: string;
  children: ReactNode;
}

const hintId = (id: string) => `${id}-hint`;
const errorId = (id: string) => `${id}-error`;

/** Error and hint are read out with the input. */
function described(id: string, { error, hint }: Pick<FieldProps, 'error' | 'hint'>) {
  const ids = [error ? errorId(id) : '', hint ? hintId(id) : ''].filter(Boolean).join(' ');
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': ids || undefined };
}

function Frame({ id, label, aside, hint, error, children }: FrameProps) {
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children}
      {error ? (
        <p className={styles.error} id={errorId(id)}>
          <Icon name="warn" small />
          {error}
        </p>
      ) : null}
      {hint ? (
        <div className={styles.hint} id={hintId(id)}>
          {hint}
        </div>
      ) : null}
    </div>
  );
}

export function Field({ label, aside, hint, error, ...input }: FieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} aside={aside} hint={hint} error={error}>
      <input className={styles.input} {...input} {...described(id, { error, hint })} />
    </Frame>
  );
}

/** With an eye that shows what is typed. */
export function PasswordField({ label, aside, hint, error, ...input }: FieldProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  return (
    <Frame id={id} label={label} aside={aside} hint={hint} error={error}>
      <div className={styles.withSide}>
        <input
          className={styles.input}
          {...input}
          {...described(id, { error, hint })}
          type={shown ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
        />
        <button
          type="button"
          className={styles.side}
          aria-label="显示密码"
          aria-pressed={shown}
          aria-controls={id}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eyeOff' : 'eye'} />
        </button>
      </div>
    </Frame>
  );
}
