import { type KeyboardEvent, useDeferredValue, useId, useRef, useState } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { RemovableChip } from '#web/ui/removable-chip.tsx';
import styles from './publish-drawer.module.css';

const MAX_TAGS = 5;
const MAX_TAG_LENGTH = 20;
const SEPARATOR = /[,，、;；\n]/;
const FORBIDDEN = /[<>"'&/\\]/g;

interface TagsFieldProps {
  tags: readonly string[];
  error: string | undefined;
  onChange: (tags: string[]) => void;
}

/** Enter or a comma adds the typed tag. */
export function TagsField({ tags, error, onChange }: TagsFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const keyword = useDeferredValue(typed.trim());
  const { data = [] } = useCall(
    'GET core/essay/tag',
    { keyword: keyword || undefined, limit: 12 },
    { enabled: tags.length < MAX_TAGS, placeholderData: (last) => last },
  );
  const suggestions = data.filter(({ name }) => !tags.includes(name)).slice(0, 8);

  function add(...names: string[]): void {
    const cleaned = names
      .map((name) => name.replace(FORBIDDEN, '').trim().slice(0, MAX_TAG_LENGTH))
      .filter(Boolean);
    const next = [...new Set([...tags, ...cleaned])].slice(0, MAX_TAGS);
    if (next.length > tags.length) onChange(next);
    setTyped('');
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      add(typed);
    } else if (event.key === 'Backspace' && typed === '' && tags.length > 0) onChange(tags.slice(0, -1));
  }

  function onType(value: string): void {
    if (SEPARATOR.test(value)) add(...value.split(SEPARATOR));
    else setTyped(value);
  }

  return (
    <div className="stack gap-1-5">
      <label className="flex apart text-m bold" htmlFor={id}>
        标签
        <small>
          {tags.length} / {MAX_TAGS}
        </small>
      </label>
      <div className={`row wraps gap-1-5 ${styles.picked}`} data-invalid={error ? true : undefined}>
        {tags.map((tag) => (
          <RemovableChip
            key={tag}
            name={tag}
            onRemove={() => {
              onChange(tags.filter((each) => each !== tag));
              input.current?.focus();
            }}
          />
        ))}
        <input
          ref={input}
          id={id}
          value={typed}
          placeholder={tags.length === 0 ? '如：数据库，回车添加' : tags.length < MAX_TAGS ? '继续添加' : ''}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          readOnly={tags.length >= MAX_TAGS}
          // A comma that is part of a composition is not a separator yet.
          onChange={({ target, nativeEvent }) =>
            (nativeEvent as InputEvent).isComposing ? setTyped(target.value) : onType(target.value)
          }
          onCompositionEnd={({ currentTarget }) => onType(currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={() => add(typed)}
        />
      </div>
      {error ? (
        <p className={styles.error} id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {tags.length < MAX_TAGS && suggestions.length > 0 ? (
        <ul className={`flex wraps gap-1-5 ${styles.suggestions}`} aria-label="标签建议">
          {suggestions.map(({ name }) => (
            <li key={name}>
              {/* Keeps the focus in the input, whose blur would add the incomplete tag. */}
              <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={() => add(name)}>
                {name}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
