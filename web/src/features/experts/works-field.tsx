import { addMissingScheme } from '@mozhan/contract/web-address.ts';
import { useId, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { FieldError, FieldHead } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Input } from '#web/ui/text-box.tsx';

const MAX_WORKS = 10;

interface WorksFieldProps {
  works: readonly string[];
  /** Keyed by the position in the list. */
  errors: Readonly<Record<number, string>>;
  onChange: (works: string[]) => void;
}

/** A list of URLs of published works, one per row. */
export function WorksField({ works, errors, onChange }: WorksFieldProps) {
  const id = useId();
  const rows = useRef<HTMLUListElement>(null);

  /** Waits for the next frame, when the rows have been rendered. */
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
    onChange(works.map((each, position) => (position === index ? work : each)));

  /** Changes a row only if needed: otherwise the layout would move under the click that causes the blur. */
  function complete(index: number, work: string): void {
    const address = addMissingScheme(work);
    if (address !== work) change(index, address);
  }

  return (
    <fieldset className="stack gap-2" aria-labelledby={`${id}-label`}>
      <FieldHead id={`${id}-label`} label="代表作" aside={<small>选填，最多 {MAX_WORKS} 个网址</small>} />
      <ul ref={rows} className="stack gap-2">
        {works.map((work, index) => {
          const error = errors[index];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their position
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
                    variant="ghost"
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
      {works.length < MAX_WORKS ? (
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
