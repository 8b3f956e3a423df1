import { asCallError, errorMessageOf } from '@mozhan/client/errors.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';

export type FormValues<Name extends string> = Record<Name, string>;
export type FieldErrors<Name extends string> = Partial<Record<Name, string>>;

interface FormOptions<Name extends string> {
  names: readonly Name[];
  initial?: Partial<FormValues<Name>> | null;
  /** Validation before the form is sent. */
  check?: (values: FormValues<Name>) => FieldErrors<Name>;
  submit: (values: FormValues<Name>) => Promise<void>;
  /** The field to show a server error at, if the error itself does not name one. */
  fieldOfError?: (error: unknown) => Name | undefined;
}

function errorText(error: unknown): string {
  const seconds = asCallError(error)?.retryAfter ?? 0;
  if (seconds <= 0) return errorMessageOf(error);
  const wait = seconds < 60 ? `${seconds} 秒` : `${Math.ceil(seconds / 60)} 分钟`;
  return `${errorMessageOf(error)}（约 ${wait}后）`;
}

/**
 * A form with uncontrolled inputs: typed text survives errors, and browsers can fill in fields before hydration.
 */
export function useForm<Name extends string>({
  names,
  initial,
  check,
  submit,
  fieldOfError,
}: FormOptions<Name>) {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldErrors<Name>>({});
  const [formError, setFormError] = useState('');

  const [attempts, setAttempts] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per attempt, when its errors are in the document
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);

  function readValues(): FormValues<Name> {
    const data = new FormData(form.current ?? undefined);
    return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as FormValues<Name>;
  }

  function showError(error: unknown): void {
    const serverErrors = asCallError(error)?.fields ?? {};
    const fieldErrors = Object.fromEntries(
      Object.entries(serverErrors).filter(([name]) => (names as readonly string[]).includes(name)),
    ) as FieldErrors<Name>;
    const field = fieldOfError?.(error);
    if (field !== undefined) fieldErrors[field] = errorText(error);
    setErrors(fieldErrors);
    setAttempts((count) => count + 1);
    setFormError(Object.keys(fieldErrors).length === 0 ? errorText(error) : '');
  }

  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const values = readValues();
    const checkErrors = check?.(values) ?? {};
    setErrors(checkErrors);
    setAttempts((count) => count + 1);
    setFormError('');
    if (Object.keys(checkErrors).length > 0) return;
    setBusy(true);
    try {
      await submit(values);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  }

  function onInput(event: FormEvent): void {
    const { name } = event.target as HTMLInputElement;
    if (name in errors) setErrors({ ...errors, [name]: undefined });
  }

  /** Props of the field with this name. */
  const field = <Own extends Name>(name: Own) => ({
    name,
    defaultValue: initial?.[name],
    error: errors[name],
  });

  // POST, so that a submit by the browser itself before hydration does not put a password into the URL.
  const props = { ref: form, method: 'post', noValidate: true, onSubmit, onInput };
  return { busy, errors, formError, field, props };
}

/** For `check`: returns the given message for each of these fields that is empty. */
export function requiredFieldErrors<Name extends string>(
  values: FormValues<Name>,
  messages: FieldErrors<Name>,
): FieldErrors<Name> {
  const empty = Object.entries(messages).filter(([name]) => values[name as Name].trim() === '');
  return Object.fromEntries(empty) as FieldErrors<Name>;
}
