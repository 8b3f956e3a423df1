import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { newId } from '#web/lib/format.ts';
import { storedValues } from '#web/lib/stored-values.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { menuItemClass } from '#web/ui/menu.tsx';
import { MessageText } from '#web/ui/message-text.tsx';
import { AutoGrowTextArea } from '#web/ui/text-box.tsx';
import styles from './composer.module.css';
import { findMentionedIds, type Mention } from './mentions.ts';
import { SegmentedControl } from './segment.tsx';
import { useMentions } from './use-mentions.ts';

interface Draft {
  text: string;
  picked: readonly Mention[];
}

const drafts = storedValues<Draft>('comment-drafts', 20);

const MAX_LENGTH = 2000;
/** Length from which the remaining characters are shown. */
const COUNTER_THRESHOLD = 1800;

const views = [
  { key: 'write', label: '写' },
  { key: 'preview', label: '预览' },
] as const;

export interface CommentInput {
  content: string;
  mentions: string[];
  /** Idempotency key: the same for every attempt to send the same text. */
  requestId: string;
}

function Preview({ content, mentions }: Omit<CommentInput, 'requestId'>) {
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: ['comment preview', content, mentions],
    queryFn: () => api('POST core/essay/cmt/preview', { content, mentions }),
    enabled: content !== '',
    retry: false,
    gcTime: 0,
  });
  if (content === '') return <p className="ink-3">还没有写。</p>;
  if (error !== null) return <p className="ink-3">{errorMessageOf(error)}</p>;
  return data === undefined ? <p className="ink-3">正在排版…</p> : <MessageText html={data.html} />;
}

interface MentionListProps {
  id: string;
  users: readonly UserCard[];
  active: number;
  onPick: (user: UserCard) => void;
}

const MentionList = ({ id, users, active, onPick }: MentionListProps) => (
  <div id={id} className={`popup text-m ${styles.people}`} role="listbox" aria-label="提到谁">
    {users.map((user, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the text area handles the keys
      <div
        key={user.id}
        id={`${id}-${index}`}
        className={menuItemClass('narrow')}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        // Keep the focus in the text area.
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

const lengthOf = (text: string) => (text.length < COUNTER_THRESHOLD ? text.length : [...text].length);

interface ComposerProps {
  /** Id of the text area, for links to it. */
  id?: string;
  label: string;
  placeholder: string;
  action: string;
  /** Storage key of the draft; undefined when an existing comment is edited. */
  draftKey?: string;
  initial?: Draft;
  autoFocus?: boolean;
  /** On rejection the error is shown and the text is kept. */
  send: (comment: CommentInput) => Promise<unknown>;
  onCancel?: () => void;
}

export function CommentComposer(props: ComposerProps) {
  const { label, placeholder, action, draftKey, initial, autoFocus = false, send, onCancel } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  const area = useRef<HTMLTextAreaElement>(null);
  const isComposing = useRef(false);
  const [{ text, picked }, setDraft] = useState<Draft>(
    () => (draftKey === undefined ? undefined : drafts.read(draftKey)) ?? initial ?? { text: '', picked: [] },
  );
  const [view, setView] = useState<'write' | 'preview'>('write');
  const pendingRequest = useRef({ content: '', requestId: '' });
  const { suggestions, active, updateMention, close, pick, onKeyDown } = useMentions(
    area,
    ({ id, displayName }) =>
      setDraft((draft) => ({ ...draft, picked: [...draft.picked, { id, name: displayName }] })),
  );

  useEffect(() => {
    if (draftKey !== undefined) drafts.save(draftKey, text === '' ? undefined : { text, picked });
  }, [draftKey, text, picked]);

  useEffect(() => {
    if (!autoFocus) return;
    area.current?.focus();
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
  }, [autoFocus]);

  const content = text.trim();
  const mentions = findMentionedIds(text, picked);
  const remaining = MAX_LENGTH - lengthOf(content);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => {
      if (pendingRequest.current.content !== content)
        pendingRequest.current = { content, requestId: newId() };
      return send({ ...pendingRequest.current, mentions });
    },
    onSuccess: () => {
      pendingRequest.current = { content: '', requestId: '' };
      setDraft({ text: '', picked: [] });
      setView('write');
    },
  });

  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (content === '') area.current?.focus();
    else if (!isPending && remaining >= 0) mutate();
  }

  function onKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // The input method handles keys while it composes.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (onKeyDown(event)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
    else if (event.key === 'Escape' && content === '') onCancel?.();
  }

  const listId = `${id}-people`;
  return (
    <form className={styles.composer} onSubmit={submit}>
      <div className={styles.box} data-view={view}>
        <AutoGrowTextArea
          hidden={view === 'preview'}
          text={text}
          ref={area}
          id={id}
          rows={2}
          value={text}
          placeholder={placeholder}
          aria-label={label}
          aria-invalid={error !== null || remaining < 0 || undefined}
          aria-describedby={`${id}-remark`}
          aria-autocomplete="list"
          aria-controls={suggestions.length > 0 ? listId : undefined}
          aria-activedescendant={suggestions.length > 0 ? `${listId}-${active}` : undefined}
          enterKeyHint="enter"
          onChange={(event) => {
            const { value } = event.target;
            setDraft((draft) => ({ ...draft, text: value }));
            if (error !== null) reset();
            if (!isComposing.current) updateMention();
          }}
          onCompositionStart={() => {
            isComposing.current = true;
          }}
          onCompositionEnd={() => {
            isComposing.current = false;
            updateMention();
          }}
          onSelect={() => isComposing.current || updateMention()}
          onBlur={close}
          onKeyDown={onKey}
        />
        {view === 'preview' ? (
          <div className={styles.preview}>
            <Preview content={content} mentions={mentions} />
          </div>
        ) : null}
        {suggestions.length > 0 ? (
          <MentionList id={listId} users={suggestions} active={active} onPick={pick} />
        ) : null}
      </div>
      <div className={`row gap-2 ${styles.row}`}>
        <SegmentedControl label="写或预览" options={views} selected={view} onSelect={setView} />
        <span className={`grow ink-3 text-s numbers ${styles.remark}`} id={`${id}-remark`}>
          {remaining < MAX_LENGTH - COUNTER_THRESHOLD ? (
            <span data-over={remaining < 0}>
              {remaining < 0 ? `超出 ${-remaining} 字` : `还可以写 ${remaining} 字`}
            </span>
          ) : (
            <span className={styles.wide}>支持 Markdown，@ 可以提到别人</span>
          )}
        </span>
        {onCancel === undefined ? null : (
          <Button size="small" variant="ghost" onClick={onCancel}>
            取消
          </Button>
        )}
        <Button size="small" variant="primary" type="submit" busy={isPending} title="Ctrl 或 ⌘ + Enter">
          {action}
        </Button>
      </div>
      <div role="alert" className={styles.error}>
        {error === null ? null : `没有发出去：${errorMessageOf(error)}`}
      </div>
      <span className="sr" role="status">
        {suggestions.length > 0 ? `有 ${suggestions.length} 人可选，按上下键选择，回车确认` : ''}
      </span>
    </form>
  );
}
