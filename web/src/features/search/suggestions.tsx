import type { Output } from '@mozhan/contract/client.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { type RefObject, useMemo, useState } from 'react';
import { HighlightedText } from '#web/features/essays/highlighted-text.tsx';
import { useCall } from '#web/lib/queries.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { columnPath, essayPath, pathTo } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import { menuItemClass } from '#web/ui/menu.tsx';
import { addToSearchHistory, clearSearchHistory, readSearchHistory } from './search-history.ts';
import styles from './suggestions.module.css';
import { useListKeys, useTypedText } from './use-combobox.ts';

/** An entry in the list below the search box; `to` does not include the base path. */
interface Suggestion {
  kind: 'history' | 'word' | 'tag' | 'author' | 'column' | 'essay' | 'popular';
  text: string;
  to: string;
  image?: string;
  /** Ranges of the found words within `text`. */
  marks?: [start: number, end: number][];
  /** Replaces the label of the kind. */
  note?: string;
}

const toKeywordSuggestion = (kind: 'word' | 'history', keyword: string): Suggestion => ({
  kind,
  text: keyword,
  to: pathTo({ to: '/home', search: { keyword } }),
});

/** Leaves room for the essays. */
const MAX_WORDS = 4;
const MAX_TAGS = 3;
const MAX_PEOPLE = 3;
const MAX_COLUMNS = 2;

function toSuggestions(data: Output<'GET core/essay/suggest'>): Suggestion[] {
  const { words, tags, authors, columns, essays, popular } = data;
  const titles = new Set(essays.map(({ title }) => title.text));
  return [
    ...words
      .filter((word) => !titles.has(word) && !tags.includes(word))
      .slice(0, MAX_WORDS)
      .map((word) => toKeywordSuggestion('word', word)),
    ...authors.slice(0, MAX_PEOPLE).map(({ id, displayName, headImg }) => ({
      kind: 'author' as const,
      text: displayName,
      to: pathTo({ to: '/user/home/:id.html', params: { id } }),
      image: headImg,
    })),
    ...columns.slice(0, MAX_COLUMNS).map(({ id, name }) => ({
      kind: 'column' as const,
      text: name,
      to: columnPath(id),
    })),
    ...tags
      .slice(0, MAX_TAGS)
      .map((tag) => ({ kind: 'tag' as const, text: tag, to: pathTo({ to: '/home', search: { tag } }) })),
    ...essays.map(({ id, slug, title, author }) => ({
      kind: popular ? ('popular' as const) : ('essay' as const),
      text: title.text,
      marks: title.marks,
      to: essayPath({ id, slug }),
      note: popular ? '热门文章' : author,
    })),
  ];
}

/** Suggestions for the typed text, or the search history while nothing is typed. */
function useSuggestions(text: string, clearCount: number): readonly Suggestion[] {
  const keyword = [...useDebounced(text.trim())].slice(0, 50).join('');
  const { data } = useCall(
    'GET core/essay/suggest',
    { keyword },
    { enabled: keyword !== '', placeholderData: keepPreviousData },
  );
  const isTyped = text.trim() !== '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: clearing the history changes the stored entries
  return useMemo(() => {
    if (isTyped) return data === undefined ? [] : toSuggestions(data);
    return readSearchHistory().map((word) => toKeywordSuggestion('history', word));
  }, [isTyped, data, clearCount]);
}

const kindIcons: Record<Suggestion['kind'], { icon: IconName; label: string }> = {
  history: { icon: 'clock', label: '搜索过' },
  word: { icon: 'search', label: '搜索' },
  tag: { icon: 'tag', label: '标签' },
  author: { icon: 'user', label: '作者' },
  column: { icon: 'book', label: '专栏' },
  essay: { icon: 'toc', label: '文章' },
  popular: { icon: 'flame', label: '热门文章' },
};

interface SuggestionsProps {
  id: string;
  input: RefObject<HTMLInputElement | null>;
  /** Receives the path of the selected entry, without the base path. */
  onPick: (to: string) => void;
}

export function Suggestions({ id, input, onPick }: SuggestionsProps) {
  const [clearCount, setClearCount] = useState(0);
  const { typed, isOpen, setOpen } = useTypedText(input);
  const suggestions = useSuggestions(typed, clearCount);

  function select(suggestion: Suggestion | undefined): void {
    if (suggestion === undefined) return;
    if (suggestion.kind === 'word' || suggestion.kind === 'history') addToSearchHistory(suggestion.text);
    setOpen(false);
    onPick(suggestion.to);
  }

  const active = useListKeys(
    {
      id,
      input,
      count: suggestions.length,
      onPick: (index) => select(suggestions[index]),
    },
    isOpen,
    setOpen,
  );

  if (!isOpen) return null;
  if (suggestions.length === 0) return null;
  const isHistory = suggestions[0]?.kind === 'history';
  return (
    <div className={`popup text-m ${styles.panel}`}>
      <div id={id} role="listbox" aria-label={isHistory ? '搜索历史' : '搜索联想'}>
        {suggestions.map((suggestion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search box handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the search box keeps the focus and refers to the active option
          <div
            key={`${suggestion.kind} ${suggestion.to}`}
            id={`${id}-${index}`}
            className={`${menuItemClass()} ${styles.line}`}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => select(suggestion)}
          >
            {suggestion.image === undefined ? (
              <Icon name={kindIcons[suggestion.kind].icon} small />
            ) : (
              <Avatar name={suggestion.text} image={suggestion.image} size="small" />
            )}
            <span className="ellipsis">
              <HighlightedText text={suggestion.text} marks={suggestion.marks ?? []} />
            </span>
            <small>
              {suggestion.kind === 'word' || suggestion.kind === 'history'
                ? ''
                : (suggestion.note ?? kindIcons[suggestion.kind].label)}
            </small>
          </div>
        ))}
      </div>
      {isHistory ? (
        <button
          type="button"
          className={`ink-3 text-s ${styles.clear}`}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            clearSearchHistory();
            setClearCount(clearCount + 1);
          }}
        >
          清除搜索历史
        </button>
      ) : null}
    </div>
  );
}
