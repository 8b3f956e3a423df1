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
import { AutoGrowTextArea, Input, Select } from './text-box.tsx';

interface FieldTexts {
  label: string;
  /** Content at the end of the label line. */
  aside?: ReactNode;
  hint?: ReactNode;
  error?: string;
}

type ControlProps<Attributes> = FieldTexts &
  Omit<Attributes, 'id' | 'className' | 'children'> & {
    /** Name of the form field; server errors refer to it. */
    name: string;
  };

type FieldProps = ControlProps<InputHTMLAttributes<HTMLInputElement>>;

interface FrameProps extends FieldTexts {
  id: string;
  children: ReactNode;
}

const labelId = (id: string) => `${id}-label`;
const hintId = (id: string) => `${id}-hint`;
const errorId = (id: string) => `${id}-error`;

/** Links the input to its error and hint for screen readers. */
function ariaProps(id: string, { error, hint }: Pick<FieldTexts, 'error' | 'hint'>, more = '') {
  const ids = [error ? errorId(id) : '', hint ? hintId(id) : '', more].filter(Boolean).join(' ');
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': ids || undefined };
}

interface FieldErrorProps {
  id?: string;
  error: string | undefined;
  /** `alert` announces the error at once; otherwise the input must reference it by id. */
  role?: 'alert';
}

export const FieldError = ({ error, ...rest }: FieldErrorProps) =>
  error ? (
    <p {...rest} className={styles.error}>
      <Icon name="warn" small />
      {error}
    </p>
  ) : null;

const HintAndError = ({ id, hint, error }: { id: string } & Pick<FieldTexts, 'error' | 'hint'>) => (
  <>
    <FieldError id={errorId(id)} error={error} />
    {hint ? (
      <div className={styles.hint} id={hintId(id)}>
        {hint}
      </div>
    ) : null}
  </>
);

interface FieldHeadProps extends Pick<FieldTexts, 'label' | 'aside'> {
  /** Id of the label, for a group of inputs labelled by it. */
  id?: string;
  htmlFor?: string;
}

export const FieldHead = ({ id, htmlFor, label, aside }: FieldHeadProps) => (
  <div className={styles.head}>
    {htmlFor === undefined ? <span id={id}>{label}</span> : <label htmlFor={htmlFor}>{label}</label>}
    {aside}
  </div>
);

function FieldFrame({ id, label, aside, hint, error, children }: FrameProps) {
  return (
    <div className={styles.field}>
      <FieldHead htmlFor={id} label={label} aside={aside} />
      {children}
      <HintAndError id={id} hint={hint} error={error} />
    </div>
  );
}

export function Field({ label, aside, hint, error, ...input }: FieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error}>
      <Input {...input} {...ariaProps(id, { error, hint })} />
    </FieldFrame>
  );
}

/** With a button that shows the password. */
export function PasswordField({ label, aside, hint, error, ...input }: FieldProps) {
  const id = useId();
  const [isVisible, setVisible] = useState(false);
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error}>
      <div className={styles.withSide}>
        <Input
          {...input}
          {...ariaProps(id, { error, hint })}
          type={isVisible ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
        />
        <button
          type="button"
          className={styles.side}
          aria-label="显示密码"
          aria-pressed={isVisible}
          aria-controls={id}
          onClick={() => setVisible(!isVisible)}
        >
          <Icon name={isVisible ? 'eyeOff' : 'eye'} />
        </button>
      </div>
    </FieldFrame>
  );
}

type TextAreaProps = ControlProps<TextareaHTMLAttributes<HTMLTextAreaElement>>;

/** Grows with its text; with `maxLength` it shows a counter. */
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
    <FieldFrame id={id} label={label} aside={aside ?? count} hint={hint} error={error}>
      <AutoGrowTextArea
        rows={3}
        {...input}
        text={text}
        {...ariaProps(id, { error, hint }, count === null ? '' : countId)}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          input.onInput?.(event);
        }}
      />
    </FieldFrame>
  );
}

interface Option {
  value: string;
  label: string;
}

type SelectFieldProps = ControlProps<SelectHTMLAttributes<HTMLSelectElement>> & {
  options: readonly Option[];
};

export function SelectField({ label, aside, hint, error, options, ...input }: SelectFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error}>
      <div className={styles.select}>
        <Select {...input} {...ariaProps(id, { error, hint })}>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <Icon name="down" />
      </div>
    </FieldFrame>
  );
}

interface ChoicesProps extends Pick<FieldTexts, 'hint' | 'error'> {
  name: string;
  legend: string;
  options: readonly Option[];
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
}

export function ChoiceGroup(props: ChoicesProps) {
  const { name, legend, options, value, defaultValue, onChange, hint, error } = props;
  const id = useId();
  return (
    <div
      className={styles.field}
      role="radiogroup"
      aria-labelledby={labelId(id)}
      {...ariaProps(id, { error, hint })}
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
      <HintAndError id={id} hint={hint} error={error} />
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
        // biome-ignore lint/a11y/useAriaPropsForRole: the browser exposes the checked state of a native checkbox
        role="switch"
        aria-labelledby={labelId(id)}
        aria-describedby={description ? hintId(id) : undefined}
      />
    </label>
  );
}

/** Two fields side by side on wide screens. */
export const FieldPair = ({ children }: { children: ReactNode }) => (
  <div className={styles.pair}>{children}</div>
);
