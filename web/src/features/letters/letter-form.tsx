import type { Input } from '@mozhan/contract/client.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { newId } from '#web/lib/format.ts';
import { keptValues } from '#web/lib/kept-values.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { toast } from '#web/ui/toast.tsx';
import { lettersChanged } from './letter-query.ts';
import styles from './letters.module.css';

/** What was typed and not sent. */
const drafts = keptValues<{ subject: string; content: string }>('letter-drafts', 20);

const LONGEST = 5000;
const LONGEST_SUBJECT = 60;

type Given = Pick<Input<'POST core/essay/pri/msg'>, 'toUserId' | 'essayId' | 'parentId'>;

interface LetterFormProps {
  given: Given;
  /** Where the draft is kept. */
  draftKey: string;
  /** A letter that begins a thread may have a subject. */
  hasSubject?: boolean;
  label: string;
  placeholder: string;
  onSent: () => void;
  onCancel?: () => void;
}

/** What was typed is kept until it is sent, whatever happens to the page. */
export function LetterForm(props: LetterFormProps) {
  const { given, draftKey, hasSubject = false, label, placeholder, onSent, onCancel } = props;
  const api = useApi();
  const queryClient = useQueryClient();
  const draft = useRef(drafts.read(draftKey) ?? { subject: '', content: '' });
  const attempt = useRef({ words: '', requestId: '' });
  const {
    busy,
    problem,
    field,
    props: form,
  } = useForm({
    names: ['subject', 'content'],
    initial: draft.current,
    check: (values) => missing(values, { content: '请写点什么' }),
    submit: async ({ subject, content }) => {
      const words = JSON.stringify([subject, content]);
      // The same for every attempt to send the same.
      if (attempt.current.words !== words) attempt.current = { words, requestId: newId() };
      const { requestId } = attempt.current;
      const input = { ...given, ...(subject.trim() !== '' && { subject }), content, requestId };
      await api('POST core/essay/pri/msg', input);
      drafts.keep(draftKey, undefined);
      toast('已寄出');
      onSent();
      await lettersChanged(queryClient, api);
    },
  });

  function keep(part: Partial<typeof draft.current>): void {
    draft.current = { ...draft.current, ...part };
    const { subject, content } = draft.current;
    drafts.keep(draftKey, subject + content === '' ? undefined : draft.current);
  }

  function onKeyDown(event: KeyboardEvent<HTMLFormElement>): void {
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.currentTarget.requestSubmit();
  }

  return (
    <form {...form} className="stack gap-4" onKeyDown={onKeyDown}>
      {problem === '' ? null : <Notice tone="bad">没有寄出：{problem}</Notice>}
      {hasSubject ? (
        <Field
          {...field('subject')}
          label="标题"
          placeholder="可以不写"
          maxLength={LONGEST_SUBJECT}
          onInput={({ currentTarget }) => keep({ subject: currentTarget.value })}
        />
      ) : null}
      <TextArea
        {...field('content')}
        label={label}
        placeholder={placeholder}
        rows={5}
        maxLength={LONGEST}
        onInput={({ currentTarget }) => keep({ content: currentTarget.value })}
      />
      <div className={`row gap-2 ${styles.buttons}`}>
        <span>支持 Markdown</span>
        {onCancel === undefined ? null : <Button onClick={onCancel}>取消</Button>}
        <Button look="primary" type="submit" busy={busy} title="Ctrl 或 ⌘ + Enter">
          寄出
        </Button>
      </div>
    </form>
  );
}
