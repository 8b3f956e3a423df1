import { type FocusEvent, type SubmitEvent, useId, useRef, useState } from 'react';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { pathTo, useRouter, useView } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Optional } from '#web/ui/optional.tsx';
import styles from './search-box.module.css';

// Fetched when somebody begins to search, with all that keys do.
const Suggestions = lazyPart(() => import('./suggestions.tsx'), 'Suggestions');

const HINT = '搜索文章、标签或作者';

/** In the header of every page; a plain form before any script has run. */
export function SearchBox() {
  const router = useRouter();
  const keyword = useView().search.get('keyword') ?? '';
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isUsed, setUsed] = useState(false);
  /** On narrow screens the box covers the header. */
  const [isShown, setShown] = useState(false);

  function leave(to: string): void {
    setShown(false);
    input.current?.blur();
    void router.navigate(to);
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    const keyword = input.current?.value.trim();
    if (!keyword) return;
    void import('./history.ts').then(({ addToHistory }) => addToHistory(keyword));
    leave(pathTo({ to: '/home', search: { keyword } }));
  }

  function onBlur({ relatedTarget }: FocusEvent): void {
    if (!form.current?.contains(relatedTarget)) setShown(false);
  }

  function show(): void {
    setShown(true);
    // What is hidden takes no focus.
    requestAnimationFrame(() => input.current?.focus());
  }

  return (
    <>
      <span className={styles.opener}>
        <Button look="ghost" square aria-label="搜索" aria-expanded={isShown} onClick={show}>
          <Icon name="search" />
        </Button>
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: older browsers do not know the element */}
      <form
        ref={form}
        className={styles.form}
        role="search"
        aria-label="站内搜索"
        action={router.href('/home')}
        data-shown={isShown || undefined}
        onSubmit={onSubmit}
        onBlur={onBlur}
      >
        <div className={`row gap-2 ink-3 ${styles.box}`}>
          <Icon name="search" small />
          <input
            key={keyword}
            ref={input}
            type="text"
            inputMode="search"
            name="keyword"
            role="combobox"
            aria-label={HINT}
            aria-expanded={false}
            aria-controls={id}
            aria-autocomplete="list"
            placeholder={HINT}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={100}
            defaultValue={keyword}
            onFocus={() => setUsed(true)}
          />
        </div>
        <span className={styles.closer}>
          <Button look="ghost" onClick={() => setShown(false)}>
            取消
          </Button>
        </span>
        {isUsed ? (
          <Optional>
            <Suggestions key={keyword} id={id} input={input} onPick={leave} />
          </Optional>
        ) : null}
      </form>
    </>
  );
}
