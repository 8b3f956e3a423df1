import { asCallError, messageOf } from '@mozhan/client/errors.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';

export type Values<Name extends string> = Record<Name, string>;
export type FieldErrors<Name extends string> = Partial<Record<Name, string>>;

interface FormOptions<Name extends string> {
  names: readonly Name[];
  /** What stands in the fields at first. */
  initial?: Partial<Values<Name>> | null;
  /** What can be told without asking the server. */
  check?: (values: Values<Name>) => FieldErrors<Name>;
  submit: (values: Values<Name>) => Promise<void>;
  /** The field a refusal is about, when it does not name one itself. */
  place?: (error: unknown) => Name | undefined;
}

function problemOf(error: unknown): string {
  const seconds = asCallError(error)?.retryAfter ?? 0;
  if (seconds <= 0) return messageOf(error);
  const wait = seconds < 60 ? `${seconds} 秒` : `${Math.ceil(seconds / 60)} 分钟`;
  return `${messageOf(error)}（约 ${wait}后）`;
}

/**
 * A form whose inputs keep their own text: what was typed stays, whatever comes back, and browsers may fill it
 * in before any script has run.
 */
export function useForm<Name extends string>({ names, initial, check, submit, place }: FormOptions<Name>) {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldErrors<Name>>({});
  /** About the form as a whole. */
  const [problem, setProblem] = useState('');

  const [attempts, setAttempts] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each attempt, when its errors are in the document
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);

  function readValues(): Values<Name> {
    const data = new FormData(form.current ?? undefined);
    return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as Values<Name>;
  }

  function show(error: unknown): void {
    const given = asCallError(error)?.fields ?? {};
    const placed = Object.fromEntries(
      Object.entries(given).filter(([name]) => (names as readonly string[]).includes(name)),
    ) as FieldErrors<Name>;
    const field = place?.(error);
    if (field !== undefined) placed[field] = problemOf(error);
    setErrors(placed);
    setAttempts((count) => count + 1);
    setProblem(Object.keys(placed).length === 0 ? problemOf(error) : '');
  }

  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const values = readValues();
    const found = check?.(values) ?? {};
    setErrors(found);
    setAttempts((count) => count + 1);
    setProblem('');
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await submit(values);
    } catch (error) {
      show(error);
    } finally {
      setBusy(false);
    }
  }

  /** Typing in a field takes its error away. */
  function onInput(event: FormEvent): void {
    const { name } = event.target as HTMLInputElement;
    if (name in errors) setErrors({ ...errors, [name]: undefined });
  }

  /** What a field of this name is given. */
  const field = <Own extends Name>(name: Own) => ({
    name,
    defaultValue: initial?.[name],
    error: errors[name],
  });

  // Sent as a post if it is ever sent by the browser itself, so that no password shows up in an address.
  const props = { ref: form, method: 'post', noValidate: true, onSubmit, onInput };
  return { busy, errors, problem, field, props };
}

/** For `check`: a sentence for every field of these that is empty. */
export function missing<Name extends string>(
  values: Values<Name>,
  sentences: FieldErrors<Name>,
): FieldErrors<Name> {
  const empty = Object.entries(sentences).filter(([name]) => values[name as Name].trim() === '');
  return Object.fromEntries(empty) as FieldErrors<Name>;
}
