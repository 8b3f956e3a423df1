import type { Output } from '@mozhan/contract/client.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { type RefObject, useMemo, useState } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { useSettled } from '#web/lib/use-settled.ts';
import { pathTo } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import { menuItemClass } from '#web/ui/menu.tsx';
import { addToHistory, clearHistory, readHistory } from './history.ts';
import styles from './suggestions.module.css';
import { useKeys, useTyped } from './use-combobox.ts';

/** A line under the search box: what it is, and where it leads, base path not included. */
interface Suggestion {
  kind: 'history' | 'word' | 'tag' | 'author';
  text: string;
  to: string;
  image?: string;
}

const searchFor = (kind: 'word' | 'history', keyword: string): Suggestion => ({
  kind,
  text: keyword,
  to: pathTo({ to: '/home', search: { keyword } }),
});

const toLines = ({ words, tags, authors }: Output<'GET core/essay/suggest'>): Suggestion[] => [
  ...words.map((word) => searchFor('word', word)),
  ...tags.map((tag) => ({ kind: 'tag' as const, text: tag, to: pathTo({ to: '/home', search: { tag } }) })),
  ...authors.map(({ id, displayName, headImg }) => ({
    kind: 'author' as const,
    text: displayName,
    to: pathTo({ to: '/user/home/:id.html', params: { id } }),
    image: headImg,
  })),
];

/** Of what has been typed; before anything is typed, what was searched for earlier. */
function useLines(text: string, cleared: number): readonly Suggestion[] {
  const keyword = [...useSettled(text.trim())].slice(0, 50).join('');
  const { data } = useCall(
    'GET core/essay/suggest',
    { keyword },
    { enabled: keyword !== '', placeholderData: keepPreviousData },
  );
  const isTyped = text.trim() !== '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: clearing the history changes what is read
  return useMemo(() => {
    if (isTyped) return data === undefined ? [] : toLines(data);
    return readHistory().map((word) => searchFor('history', word));
  }, [isTyped, data, cleared]);
}

const marks: Record<Suggestion['kind'], { icon: IconName; label: string }> = {
  history: { icon: 'clock', label: '搜索过' },
  word: { icon: 'search', label: '搜索' },
  tag: { icon: 'tag', label: '标签' },
  author: { icon: 'user', label: '作者' },
};

interface SuggestionsProps {
  id: string;
  input: RefObject<HTMLInputElement | null>;
  /** Where the reader wants to go, base path not included. */
  onPick: (to: string) => void;
}

/** The list under the search box: what it could be, while one types; before that, what it was. */
export function Suggestions({ id, input, onPick }: SuggestionsProps) {
  const [cleared, setCleared] = useState(0);
  const { typed, isOpen, setOpen } = useTyped(input);
  const lines = useLines(typed, cleared);

  function pick(line: Suggestion | undefined): void {
    if (line === undefined) return;
    if (line.kind === 'word' || line.kind === 'history') addToHistory(line.text);
    setOpen(false);
    onPick(line.to);
  }

  const active = useKeys(
    {
      id,
      input,
      count: lines.length,
      onPick: (index) => pick(lines[index]),
    },
    isOpen,
    setOpen,
  );

  if (!isOpen) return null;
  if (lines.length === 0) return null;
  const isHistory = lines[0]?.kind === 'history';
  return (
    <div className={`popup text-m ${styles.panel}`}>
      <div id={id} role="listbox" aria-label={isHistory ? '搜索历史' : '搜索联想'}>
        {lines.map((line, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the search box's
          // biome-ignore lint/a11y/useFocusableInteractive: the search box keeps the focus and names the active one
          <div
            key={`${line.kind} ${line.to}`}
            id={`${id}-${index}`}
            className={`${menuItemClass()} ${styles.line}`}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(line)}
          >
            {line.image === undefined ? (
              <Icon name={marks[line.kind].icon} small />
            ) : (
              <Avatar name={line.text} image={line.image} size="small" />
            )}
            <span>{line.text}</span>
            <small>{line.kind === 'tag' || line.kind === 'author' ? marks[line.kind].label : ''}</small>
          </div>
        ))}
      </div>
      {isHistory ? (
        <button
          type="button"
          className={`ink-3 text-s ${styles.clear}`}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            clearHistory();
            setCleared(cleared + 1);
          }}
        >
          清除搜索历史
        </button>
      ) : null}
    </div>
  );
}
