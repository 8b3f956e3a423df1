import type { UserCard } from '@mozhan/contract/users.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { insertText } from '#web/lib/insert-text.ts';
import { useCall } from '#web/lib/queries.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { findMentionQuery } from './mentions.ts';
import { useThread } from './thread.ts';

const MAX_SUGGESTIONS = 6;
const NO_USERS: readonly UserCard[] = [];

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

function useSuggestions(keyword: string | undefined): readonly UserCard[] {
  const { participants } = useThread();
  const debounced = useDebounced(keyword ?? '');
  const { data } = useCall(
    'GET core/user/',
    { keyword: debounced, pageSize: MAX_SUGGESTIONS },
    { enabled: debounced !== '', placeholderData: keepPreviousData },
  );
  if (keyword === undefined) return NO_USERS;
  if (keyword === '') return participants.slice(0, MAX_SUGGESTIONS);
  return data !== undefined && 'list' in data ? data.list : NO_USERS;
}

/** Mention suggestions at the caret with keyboard selection; inactive while an input method composes. */
export function useMentions(area: RefObject<HTMLTextAreaElement | null>, onPick: (user: UserCard) => void) {
  const [mentionQuery, setMentionQuery] = useState<ReturnType<typeof findMentionQuery>>(null);
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState(-1);
  const isOpen = mentionQuery !== null && mentionQuery.start !== dismissed;
  const suggestions = useSuggestions(isOpen ? mentionQuery.keyword : undefined);
  const active = Math.min(chosen, suggestions.length - 1);

  function updateMention(): void {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = area.current ?? {};
    const found = selectionStart === selectionEnd ? findMentionQuery(value, selectionStart) : null;
    if (found?.keyword !== mentionQuery?.keyword) setChosen(0);
    if (found === null) setDismissed(-1);
    setMentionQuery(found);
  }

  function pick(user: UserCard): void {
    if (area.current === null || mentionQuery === null) return;
    area.current.setSelectionRange(mentionQuery.start, mentionQuery.start + 1 + mentionQuery.keyword.length);
    onPick(user);
    insertText(area.current, `@${user.displayName} `);
    setMentionQuery(null);
  }

  /** Returns true if the key was handled. */
  function onKeyDown(event: KeyboardEvent): boolean {
    const user = suggestions[active];
    if (user === undefined) return false;
    const step = steps[event.key];
    if (step !== undefined) setChosen((active + step + suggestions.length) % suggestions.length);
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab') pick(user);
    else if (event.key === 'Escape') setDismissed(mentionQuery?.start ?? -1);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return { suggestions, active, updateMention, close: () => setMentionQuery(null), pick, onKeyDown };
}
