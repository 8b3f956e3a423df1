import type { UserCard } from '@mozhan/contract/users.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { insertText } from '#web/lib/insert-text.ts';
import { useCall } from '#web/lib/queries.ts';
import { useSettled } from '#web/lib/use-settled.ts';
import { mentionAt } from './mentions.ts';
import { useThread } from './thread.ts';

const MOST = 6;
const none: readonly UserCard[] = [];

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

function usePeople(keyword: string | undefined): readonly UserCard[] {
  const { people } = useThread();
  const settled = useSettled(keyword ?? '');
  const { data } = useCall(
    'GET core/user/',
    { keyword: settled, pageSize: MOST },
    { enabled: settled !== '', placeholderData: keepPreviousData },
  );
  if (keyword === undefined) return none;
  if (keyword === '') return people.slice(0, MOST);
  return data !== undefined && 'list' in data ? data.list : none;
}

/** The people one can name at the caret, and the keys that choose one. Nothing happens while an input method composes. */
export function useMentions(area: RefObject<HTMLTextAreaElement | null>, onPick: (user: UserCard) => void) {
  const [asked, setAsked] = useState<ReturnType<typeof mentionAt>>(null);
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState(-1);
  const isOpen = asked !== null && asked.start !== dismissed;
  const people = usePeople(isOpen ? asked.keyword : undefined);
  const active = Math.min(chosen, people.length - 1);

  function look(): void {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = area.current ?? {};
    const found = selectionStart === selectionEnd ? mentionAt(value, selectionStart) : null;
    if (found?.keyword !== asked?.keyword) setChosen(0);
    if (found === null) setDismissed(-1);
    setAsked(found);
  }

  function pick(user: UserCard): void {
    if (area.current === null || asked === null) return;
    area.current.setSelectionRange(asked.start, asked.start + 1 + asked.keyword.length);
    onPick(user);
    insertText(area.current, `@${user.displayName} `);
    setAsked(null);
  }

  /** Whether the key was meant for the list. */
  function onKeyDown(event: KeyboardEvent): boolean {
    const user = people[active];
    if (user === undefined) return false;
    const step = steps[event.key];
    if (step !== undefined) setChosen((active + step + people.length) % people.length);
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab') pick(user);
    else if (event.key === 'Escape') setDismissed(asked?.start ?? -1);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return { people, active, look, close: () => setAsked(null), pick, onKeyDown };
}
