import {
  type ChangeEventHandler,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { Choice } from './choice.tsx';
import styles from './field.module.css';
import { Icon } from './icon-set.tsx';
import { GrowingText, Input, Select } from './text-box.tsx';

interface Said {
  label: string;
  /** Beside the label, at its end. */
  aside?: ReactNode;
  hint?: ReactNode;
  error?: string;
}

type Control<Attributes> = Said &
  Omit<Attributes, 'id' | 'className' | 'children'> & {
    /** The name under which the form sends it and the server names its errors. */
    name: string;
  };

type FieldProps = Control<InputHTMLAttributes<HTMLInputElement>>;

interface FrameProps extends Said {
  id: string;
  children: ReactNode;
}

const labelId = (id: string) => `${id}-label`;
const hintId = (id: string) => `${id}-hint`;
const errorId = (id: string) => `${id}-error`;

/** Error and hint are read out with the input. */
function described(id: string, { error, hint }: Pick<Said, 'error' | 'hint'>, more = '') {
  const ids = [error ? errorId(id) : '', hint ? hintId(id) : '', more].filter(Boolean).join(' ');
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': ids || undefined };
}

interface FieldErrorProps {
  id?: string;
  error: string | undefined;
  /** Read out at once; else with the input that names it by its id. */
  role?: 'alert';
}

/** What is wrong with an input. */
export const FieldError = ({ error, ...rest }: FieldErrorProps) =>
  error ? (
    <p {...rest} className={styles.error}>
      <Icon name="warn" small />
      {error}
    </p>
  ) : null;

const Remarks = ({ id, hint, error }: { id: string } & Pick<Said, 'error' | 'hint'>) => (
  <>
    <FieldError id={errorId(id)} error={error} />
    {hint ? (
      <div className={styles.hint} id={hintId(id)}>
        {hint}
      </div>
    ) : null}
  </>
);

interface FieldHeadProps extends Pick<Said, 'label' | 'aside'> {
  /** Of the label, for a group of inputs that is named by it. */
  id?: string;
  /** The input that the label belongs to. */
  htmlFor?: string;
}

/** The name of a field, and what stands at its end. */
export const FieldHead = ({ id, htmlFor, label, aside }: FieldHeadProps) => (
  <div className={styles.head}>
    {htmlFor === undefined ? <span id={id}>{label}</span> : <label htmlFor={htmlFor}>{label}</label>}
    {aside}
  </div>
);

function Frame({ id, label, aside, hint, error, children }: FrameProps) {
  return (
    <div className={styles.field}>
      <FieldHead htmlFor={id} label={label} aside={aside} />
      {children}
      <Remarks id={id} hint={hint} error={error} />
    </div>
  );
}

export function Field({ label, aside, hint, error, ...input }: FieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} aside={aside} hint={hint} error={error}>
      <Input {...input} {...described(id, { error, hint })} />
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
        <Input
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

type TextAreaProps = Control<TextareaHTMLAttributes<HTMLTextAreaElement>>;

/** Grows with its text; with `maxLength` it counts. */
export function TextArea({ label, aside, hint, error, ...input }: TextAreaProps) {
  const id = useId();
  const countId = `${id}-count`;
  const [typed, setTyped] = useState(String(input.defaultValue ?? ''));
  const text = input.value === undefined ? typed : String(input.value);
  const count =
    input.maxLength === undefined ? null : (
      <span id={countId} className={styles.count}>
        <span className="sr">已写</span>
        {text.length} / {input.maxLength}
      </span>
    );
  return (
    <Frame id={id} label={label} aside={aside ?? count} hint={hint} error={error}>
      <GrowingText
        rows={3}
        {...input}
        text={text}
        {...described(id, { error, hint }, count === null ? '' : countId)}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          input.onInput?.(event);
        }}
      />
    </Frame>
  );
}

interface Option {
  value: string;
  label: string;
}

type SelectFieldProps = Control<SelectHTMLAttributes<HTMLSelectElement>> & { options: readonly Option[] };

export function SelectField({ label, aside, hint, error, options, ...input }: SelectFieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} aside={aside} hint={hint} error={error}>
      <div className={styles.select}>
        <Select {...input} {...described(id, { error, hint })}>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <Icon name="down" />
      </div>
    </Frame>
  );
}

interface ChoicesProps extends Pick<Said, 'hint' | 'error'> {
  name: string;
  legend: string;
  options: readonly Option[];
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
}

/** One of a few, all in sight. */
export function Choices(props: ChoicesProps) {
  const { name, legend, options, value, defaultValue, onChange, hint, error } = props;
  const id = useId();
  return (
    <div
      className={styles.field}
      role="radiogroup"
      aria-labelledby={labelId(id)}
      {...described(id, { error, hint })}
    >
      <span className={styles.legend} id={labelId(id)}>
        {legend}
      </span>
      <div className={styles.choices}>
        {options.map((option) => (
          <Choice
            key={option.value}
            type="radio"
            name={name}
            value={option.value}
            {...(value === undefined
              ? { defaultChecked: option.value === defaultValue }
              : { checked: option.value === value })}
            onChange={() => onChange?.(option.value)}
          >
            {option.label}
          </Choice>
        ))}
      </div>
      <Remarks id={id} hint={hint} error={error} />
    </div>
  );
}

interface SwitchFieldProps {
  name: string;
  label: string;
  description?: ReactNode;
  checked?: boolean;
  defaultChecked?: boolean;
  onChange?: ChangeEventHandler<HTMLInputElement>;
}

/** On or off. */
export function SwitchField({ label, description, ...input }: SwitchFieldProps) {
  const id = useId();
  return (
    <label className={styles.switch}>
      <span>
        <span id={labelId(id)}>{label}</span>
        {description ? (
          <span className={styles.hint} id={hintId(id)}>
            {description}
          </span>
        ) : null}
      </span>
      <input
        {...input}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: the browser tells whether it is checked
        role="switch"
        aria-labelledby={labelId(id)}
        aria-describedby={description ? hintId(id) : undefined}
      />
    </label>
  );
}

/** Two fields beside each other, where there is room. */
export const FieldPair = ({ children }: { children: ReactNode }) => (
  <div className={styles.pair}>{children}</div>
);
