import type { Input } from '@mozhan/contract/client.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { newId } from '#web/lib/format.ts';
import { storedValues } from '#web/lib/stored-values.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, TextArea } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast.tsx';
import { invalidateLetters } from './letter-query.ts';
import styles from './letters.module.css';

const drafts = storedValues<{ subject: string; content: string }>('letter-drafts', 20);

const MAX_LENGTH = 5000;
const MAX_SUBJECT_LENGTH = 60;

type LetterTarget = Pick<Input<'POST core/essay/pri/msg'>, 'toUserId' | 'essayId' | 'parentId'>;

interface LetterFormProps {
  target: LetterTarget;
  draftKey: string;
  /** Only the first letter of a thread may have a subject. */
  hasSubject?: boolean;
  label: string;
  placeholder: string;
  onSent: () => void;
  onCancel?: () => void;
}

/** Stores the draft until it is sent, so that it survives leaving the page. */
export function LetterForm(props: LetterFormProps) {
  const { target, draftKey, hasSubject = false, label, placeholder, onSent, onCancel } = props;
  const api = useApi();
  const queryClient = useQueryClient();
  const draft = useRef(drafts.read(draftKey) ?? { subject: '', content: '' });
  const attempt = useRef({ contentKey: '', requestId: '' });
  const {
    busy,
    formError,
    field,
    props: form,
  } = useForm({
    names: ['subject', 'content'],
    initial: draft.current,
    check: (values) => requiredFieldErrors(values, { content: '请写点什么' }),
    submit: async ({ subject, content }) => {
      const contentKey = JSON.stringify([subject, content]);
      // Retries with the same content use the same request id.
      if (attempt.current.contentKey !== contentKey) attempt.current = { contentKey, requestId: newId() };
      const { requestId } = attempt.current;
      const input = { ...target, ...(subject.trim() !== '' && { subject }), content, requestId };
      await api('POST core/essay/pri/msg', input);
      drafts.save(draftKey, undefined);
      toast('已寄出');
      onSent();
      await invalidateLetters(queryClient, api);
    },
  });

  function storeDraft(part: Partial<typeof draft.current>): void {
    draft.current = { ...draft.current, ...part };
    const { subject, content } = draft.current;
    drafts.save(draftKey, subject + content === '' ? undefined : draft.current);
  }

  function onKeyDown(event: KeyboardEvent<HTMLFormElement>): void {
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.currentTarget.requestSubmit();
  }

  return (
    <form {...form} className="stack gap-4" onKeyDown={onKeyDown}>
      {formError === '' ? null : <Alert tone="bad">没有寄出：{formError}</Alert>}
      {hasSubject ? (
        <Field
          {...field('subject')}
          label="标题"
          placeholder="可以不写"
          maxLength={MAX_SUBJECT_LENGTH}
          onInput={({ currentTarget }) => storeDraft({ subject: currentTarget.value })}
        />
      ) : null}
      <TextArea
        {...field('content')}
        label={label}
        placeholder={placeholder}
        rows={5}
        maxLength={MAX_LENGTH}
        onInput={({ currentTarget }) => storeDraft({ content: currentTarget.value })}
      />
      <div className={`row gap-2 ${styles.buttons}`}>
        <span>支持 Markdown</span>
        {onCancel === undefined ? null : <Button onClick={onCancel}>取消</Button>}
        <Button variant="primary" type="submit" busy={busy} title="Ctrl 或 ⌘ + Enter">
          寄出
        </Button>
      </div>
    </form>
  );
}
