import { completeAddress } from '@mozhan/contract/web-address.ts';
import { useId, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { FieldError, FieldHead } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Input } from '#web/ui/text-box.tsx';

const MOST = 10;

interface WorksFieldProps {
  works: readonly string[];
  /** By the place in the list. */
  errors: Readonly<Record<number, string>>;
  onChange: (works: string[]) => void;
}

/** Addresses of what somebody has made, one in a row. */
export function WorksField({ works, errors, onChange }: WorksFieldProps) {
  const id = useId();
  const rows = useRef<HTMLUListElement>(null);

  /** Once the row is there, or another has taken its place. */
  const focus = (index: number) =>
    requestAnimationFrame(() => rows.current?.querySelectorAll('input')[index]?.focus());

  function remove(index: number): void {
    onChange(works.filter((_, each) => each !== index));
    focus(Math.max(0, index - 1));
  }

  function add(): void {
    onChange([...works, '']);
    focus(works.length);
  }

  const change = (index: number, work: string) =>
    onChange(works.map((each, place) => (place === index ? work : each)));

  /** Whoever leaves a row for a button must find it where it was: nothing moves unless there is something to complete. */
  function complete(index: number, work: string): void {
    const address = completeAddress(work);
    if (address !== work) change(index, address);
  }

  return (
    <fieldset className="stack gap-2" aria-labelledby={`${id}-label`}>
      <FieldHead id={`${id}-label`} label="代表作" aside={<small>选填，最多 {MOST} 个网址</small>} />
      <ul ref={rows} className="stack gap-2">
        {works.map((work, index) => {
          const error = errors[index];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
            <li key={index} className="stack gap-1-5">
              <div className="row gap-1">
                <Input
                  type="url"
                  inputMode="url"
                  placeholder="https://"
                  maxLength={300}
                  aria-label={`代表作 ${index + 1}`}
                  value={work}
                  aria-invalid={error ? true : undefined}
                  aria-describedby={error ? `${id}-error-${index}` : undefined}
                  onChange={(event) => change(index, event.target.value)}
                  onBlur={() => complete(index, work)}
                />
                {works.length > 1 ? (
                  <Button
                    look="ghost"
                    square
                    aria-label={`移除代表作 ${index + 1}`}
                    onClick={() => remove(index)}
                  >
                    <Icon name="close" small />
                  </Button>
                ) : null}
              </div>
              <FieldError id={`${id}-error-${index}`} error={error} />
            </li>
          );
        })}
      </ul>
      {works.length < MOST ? (
        <div>
          <Button size="small" onClick={add}>
            <Icon name="plus" small />
            再加一个
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}
