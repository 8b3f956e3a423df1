import { type FocusEvent, type SubmitEvent, useRef, useState } from 'react';
import { lazyComponent, useLoaded } from '#web/lib/lazy-component.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Optional } from '#web/ui/optional.tsx';
import styles from './search-box.module.css';

// Loaded when the reader focuses the box, together with the keyboard handling.
const Suggestions = lazyComponent(() => import('./suggestions.tsx'), 'Suggestions');

/** The header's box is the only one, and a cached fragment cannot use `useId`. */
const SUGGESTIONS_ID = 'search-suggestions';

const HINT = '搜索文章、标签或作者';

/** The search box in the header; it works as a plain form without scripts. */
export function SearchBox({ keyword }: { keyword: string }) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isActivated, setActivated] = useState(false);
  const hasSuggestions = useLoaded(Suggestions, isActivated);
  /** On narrow screens the expanded box covers the header. */
  const [isExpanded, setExpanded] = useState(false);

  function navigateTo(to: string): void {
    setExpanded(false);
    input.current?.blur();
    void router.navigate(to);
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    const keyword = input.current?.value.trim();
    if (!keyword) return;
    void import('./search-history.ts').then(({ addToSearchHistory }) => addToSearchHistory(keyword));
    navigateTo(pathTo({ to: '/home', search: { keyword } }));
  }

  function onBlur({ relatedTarget }: FocusEvent): void {
    if (!form.current?.contains(relatedTarget)) setExpanded(false);
  }

  function expand(): void {
    setExpanded(true);
    // A hidden element cannot be focused, so this waits for the next frame.
    requestAnimationFrame(() => input.current?.focus());
  }

  return (
    <>
      <span className={styles.opener}>
        <Button variant="ghost" square aria-label="搜索" aria-expanded={isExpanded} onClick={expand}>
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
        data-shown={isExpanded || undefined}
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
            aria-controls={SUGGESTIONS_ID}
            aria-autocomplete="list"
            placeholder={HINT}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={100}
            defaultValue={keyword}
            onFocus={() => setActivated(true)}
          />
        </div>
        <span className={styles.closer}>
          <Button variant="ghost" onClick={() => setExpanded(false)}>
            取消
          </Button>
        </span>
        {hasSuggestions ? (
          <Optional>
            <Suggestions key={keyword} id={SUGGESTIONS_ID} input={input} onPick={navigateTo} />
          </Optional>
        ) : null}
      </form>
    </>
  );
}
