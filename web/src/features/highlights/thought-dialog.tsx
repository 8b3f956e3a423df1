import type { TextQuote } from '@mozhan/contract/anchoring.ts';
import type { Highlight } from '@mozhan/contract/highlights.ts';
import { useRef, useState } from 'react';
import { useForm } from '#web/lib/form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { SwitchField, TextArea } from '#web/ui/field.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useHighlightCalls } from './highlight-calls.ts';
import styles from './highlights.module.css';

export interface ThoughtFormProps {
  essayId: string;
  /** The highlight that the thought belongs to; null: it is created. */
  highlight: Highlight | null;
  quote: TextQuote;
  words: string;
  /** Whether comments are open, because a public thought is one. */
  canPublish: boolean;
  onSaved: () => void;
  onClose: () => void;
}

const MAX_LENGTH = 2000;

function ThoughtForm(props: ThoughtFormProps) {
  const { essayId, highlight, quote, words, canPublish, onSaved, onClose } = props;
  const { create, update, publish } = useHighlightCalls(essayId);
  const [isPublic, setPublic] = useState(false);
  const form = useForm({
    names: ['content'],
    initial: { content: highlight?.note ?? '' },
    check: ({ content }) => (content.trim() === '' && isPublic ? { content: '请写点什么' } : {}),
    submit: async ({ content }) => {
      const note = content.trim();
      const saved = highlight === null ? await create(quote, { note }) : await update(highlight.id, { note });
      if (isPublic) {
        const { held } = await publish(saved, note);
        toast(held ? '已提交，审核通过后公开' : '已公开');
      } else toast('已保存，只有你能看到');
      onSaved();
      onClose();
    },
  });
  return (
    <DialogForm form={form} className="stack gap-4" action={isPublic ? '公开' : '保存'} onCancel={onClose}>
      <blockquote className={styles.quote}>{words}</blockquote>
      <TextArea
        {...form.field('content')}
        label="想法"
        placeholder="这段话让你想到什么？"
        maxLength={MAX_LENGTH}
        rows={4}
      />
      {canPublish ? (
        <SwitchField
          name="public"
          label="公开这条想法"
          description="公开后大家能在这段话和评论里看到，与评论一样审核。"
          checked={isPublic}
          onChange={(event) => setPublic(event.currentTarget.checked)}
        />
      ) : null}
    </DialogForm>
  );
}

export type ThoughtDialogProps = DialogOpenProps & Omit<ThoughtFormProps, 'onClose'>;

export function ThoughtDialog({ open, onOpenChange, ...form }: ThoughtDialogProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={form.highlight?.note ? '修改想法' : '写想法'}
      initialFocus={area}
    >
      <div
        ref={(element) => {
          area.current = element?.querySelector('textarea') ?? null;
        }}
      >
        <ThoughtForm {...form} onClose={() => onOpenChange(false)} />
      </div>
    </Dialog>
  );
}
