import { messageOf } from '@mozhan/client/errors.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { newId } from '#web/lib/format.ts';
import { keptValues } from '#web/lib/kept-values.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { menuItemClass } from '#web/ui/menu.tsx';
import { Said } from '#web/ui/said.tsx';
import { GrowingText } from '#web/ui/text-box.tsx';
import styles from './composer.module.css';
import { mentionsIn, type Picked } from './mentions.ts';
import { Segment } from './segment.tsx';
import { useMentions } from './use-mentions.ts';

interface Draft {
  text: string;
  picked: readonly Picked[];
}

/** What was typed and not sent. */
const drafts = keptValues<Draft>('comment-drafts', 20);

const LONGEST = 2000;
/** From here on one wants to know how much is left. */
const NEAR = 1800;

const views = [
  { key: 'write', label: '写' },
  { key: 'preview', label: '预览' },
] as const;

export interface NewWords {
  content: string;
  mentions: string[];
  /** The same for every attempt to send the same. */
  requestId: string;
}

function Preview({ content, mentions }: Omit<NewWords, 'requestId'>) {
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: ['comment preview', content, mentions],
    queryFn: () => api('POST core/essay/cmt/preview', { content, mentions }),
    enabled: content !== '',
    retry: false,
    gcTime: 0,
  });
  if (content === '') return <p className="ink-3">还没有写。</p>;
  if (error !== null) return <p className="ink-3">{messageOf(error)}</p>;
  return data === undefined ? <p className="ink-3">正在排版…</p> : <Said html={data.html} />;
}

interface PeopleProps {
  id: string;
  people: readonly UserCard[];
  active: number;
  onPick: (user: UserCard) => void;
}

const People = ({ id, people, active, onPick }: PeopleProps) => (
  <div id={id} className={`popup text-m ${styles.people}`} role="listbox" aria-label="提到谁">
    {people.map((user, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text's
      <div
        key={user.id}
        id={`${id}-${index}`}
        className={menuItemClass('narrow')}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        // The focus stays in the text.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onPick(user)}
      >
        <Avatar name={user.displayName} image={user.headImg} size="small" />
        <span>{user.displayName}</span>
        {user.title === '' ? null : <small className="ellipsis text-xs">{user.title}</small>}
      </div>
    ))}
  </div>
);

const lengthOf = (text: string) => (text.length < NEAR ? text.length : [...text].length);

interface ComposerProps {
  /** Of the text, as an address may name it. */
  id?: string;
  label: string;
  placeholder: string;
  /** What is on the button. */
  action: string;
  /** Where the draft is kept; none when an old text is changed. */
  draftKey?: string;
  initial?: Draft;
  autoFocus?: boolean;
  /** Rejects with a reason to show; what was typed is kept. */
  send: (words: NewWords) => Promise<unknown>;
  onCancel?: () => void;
}

export function Composer(props: ComposerProps) {
  const { label, placeholder, action, draftKey, initial, autoFocus = false, send, onCancel } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  const area = useRef<HTMLTextAreaElement>(null);
  const isComposing = useRef(false);
  const [{ text, picked }, setDraft] = useState<Draft>(
    () => (draftKey === undefined ? undefined : drafts.read(draftKey)) ?? initial ?? { text: '', picked: [] },
  );
  const [view, setView] = useState<'write' | 'preview'>('write');
  const attempt = useRef({ content: '', requestId: '' });
  const { people, active, look, close, pick, onKeyDown } = useMentions(area, ({ id, displayName }) =>
    setDraft((draft) => ({ ...draft, picked: [...draft.picked, { id, name: displayName }] })),
  );

  useEffect(() => {
    if (draftKey !== undefined) drafts.keep(draftKey, text === '' ? undefined : { text, picked });
  }, [draftKey, text, picked]);

  useEffect(() => {
    if (!autoFocus) return;
    area.current?.focus();
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
  }, [autoFocus]);

  const content = text.trim();
  const mentions = mentionsIn(text, picked);
  const left = LONGEST - lengthOf(content);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => {
      if (attempt.current.content !== content) attempt.current = { content, requestId: newId() };
      return send({ ...attempt.current, mentions });
    },
    onSuccess: () => {
      attempt.current = { content: '', requestId: '' };
      setDraft({ text: '', picked: [] });
      setView('write');
    },
  });

  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (content === '') area.current?.focus();
    else if (!isPending && left >= 0) mutate();
  }

  function onKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // The keys belong to the input method while it composes.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (onKeyDown(event)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
    else if (event.key === 'Escape' && content === '') onCancel?.();
  }

  const listId = `${id}-people`;
  return (
    <form className={styles.composer} onSubmit={submit}>
      <div className={styles.box} data-view={view}>
        <GrowingText
          hidden={view === 'preview'}
          text={text}
          ref={area}
          id={id}
          rows={2}
          value={text}
          placeholder={placeholder}
          aria-label={label}
          aria-invalid={error !== null || left < 0 || undefined}
          aria-describedby={`${id}-remark`}
          aria-autocomplete="list"
          aria-controls={people.length > 0 ? listId : undefined}
          aria-activedescendant={people.length > 0 ? `${listId}-${active}` : undefined}
          enterKeyHint="enter"
          onChange={(event) => {
            const { value } = event.target;
            setDraft((draft) => ({ ...draft, text: value }));
            if (error !== null) reset();
            if (!isComposing.current) look();
          }}
          onCompositionStart={() => {
            isComposing.current = true;
          }}
          onCompositionEnd={() => {
            isComposing.current = false;
            look();
          }}
          onSelect={() => isComposing.current || look()}
          onBlur={close}
          onKeyDown={onKey}
        />
        {view === 'preview' ? (
          <div className={styles.preview}>
            <Preview content={content} mentions={mentions} />
          </div>
        ) : null}
        {people.length > 0 ? <People id={listId} people={people} active={active} onPick={pick} /> : null}
      </div>
      <div className={`row gap-2 ${styles.row}`}>
        <Segment label="写或预览" options={views} selected={view} onSelect={setView} />
        <span className={`grow ink-3 text-s numbers ${styles.remark}`} id={`${id}-remark`}>
          {left < LONGEST - NEAR ? (
            <span data-over={left < 0}>{left < 0 ? `超出 ${-left} 字` : `还可以写 ${left} 字`}</span>
          ) : (
            <span className={styles.wide}>支持 Markdown，@ 可以提到别人</span>
          )}
        </span>
        {onCancel === undefined ? null : (
          <Button size="small" look="ghost" onClick={onCancel}>
            取消
          </Button>
        )}
        <Button size="small" look="primary" type="submit" busy={isPending} title="Ctrl 或 ⌘ + Enter">
          {action}
        </Button>
      </div>
      <div role="alert" className={styles.error}>
        {error === null ? null : `没有发出去：${messageOf(error)}`}
      </div>
      <span className="sr" role="status">
        {people.length > 0 ? `有 ${people.length} 个人可选，按上下键选择，回车确认` : ''}
      </span>
    </form>
  );
}
