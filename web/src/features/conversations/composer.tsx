import {
  type ClipboardEvent,
  type KeyboardEvent,
  type SubmitEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { insertText } from '#web/lib/insert-text.ts';
import { storedValues } from '#web/lib/stored-values.ts';
import { Button } from '#web/ui/button.tsx';
import { EmojiPicker } from '#web/ui/emoji-picker.tsx';
import { FileInput } from '#web/ui/file-input.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';
import { AutoGrowTextArea } from '#web/ui/text-box.tsx';
import { useImageUpload } from '#web/ui/use-image-upload.ts';
import styles from './composer.module.css';
import { excerptOf } from './excerpt.ts';
import { MutedNote } from './muted-note.tsx';
import { conversationId } from './outbox.ts';
import type { OpenConversation } from './use-conversation.ts';

const drafts = storedValues<string>('chat-drafts', 20);

const MAX_LENGTH = 2000;
/** Length from which the remaining characters are shown. */
const COUNTER_THRESHOLD = 1800;
const FORMATS = 'image/jpeg,image/png,image/webp,image/gif';

const lengthOf = (text: string) => (text.length < COUNTER_THRESHOLD ? text.length : [...text].length);

/** On touch keyboards Enter must insert a new line instead of sending. */
const hasKeyboard = () => !matchMedia('(pointer: coarse)').matches;

/** Opens a panel above the button; Escape or a click elsewhere closes it. */
function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && box.current?.contains(target))) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only handles keys of the controls inside
    <div
      ref={box}
      className={styles.emoji}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
        box.current?.querySelector('button')?.focus();
      }}
    >
      <Button
        variant="ghost"
        size="small"
        square
        aria-label="表情"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="smile" />
      </Button>
      {isOpen ? (
        <div className={`popup ${styles.panel}`}>
          <EmojiPicker
            onPick={(emoji) => {
              setOpen(false);
              onPick(emoji);
            }}
          />
        </div>
      ) : null}
    </div>
  );
}

const loadPicker = () => import('./essay-picker.tsx').then(({ EssayPicker }) => EssayPicker);

function EssayButton({ conversation }: { conversation: OpenConversation }) {
  const { open, close, dialog } = useLazyDialog(loadPicker);

  function onPick(id: string): void {
    close();
    conversation.send('essay', id);
  }

  return (
    <>
      <Button
        variant="ghost"
        size="small"
        square
        aria-label="发送文章卡片"
        aria-haspopup="dialog"
        onClick={open}
      >
        <Icon name="book" />
      </Button>
      {dialog({ onPick })}
    </>
  );
}

function ReplyTo({ conversation }: { conversation: OpenConversation }) {
  const { replyTo, setReplyTo } = conversation;
  if (replyTo === undefined) return null;
  return (
    <p className={styles.note}>
      <Icon name="reply" small />
      <span className={`ellipsis ${styles.quote}`}>
        回复 {replyTo.from?.displayName ?? '已注销的用户'}：{excerptOf(replyTo)}
      </span>
      <button type="button" aria-label="取消回复" onClick={() => setReplyTo(undefined)}>
        <Icon name="close" small />
      </button>
    </p>
  );
}

type Upload = ReturnType<typeof useImageUpload>;

function UploadStatus({ upload, send, cancel }: Upload) {
  if (upload.state === 'idle') return null;
  if (upload.state === 'sending')
    return (
      <p className={styles.note} role="status">
        正在上传图片… {Math.round(upload.fraction * 100)}%
        <button type="button" onClick={cancel}>
          取消
        </button>
      </p>
    );
  return (
    <p className={`${styles.note} ${styles.bad}`} role="alert">
      <Icon name="warn" small />
      {upload.message}
      {upload.file === undefined ? null : (
        <button type="button" onClick={() => upload.file && void send(upload.file)}>
          重试
        </button>
      )}
      <button type="button" onClick={cancel}>
        取消
      </button>
    </p>
  );
}

interface ComposerProps {
  conversation: OpenConversation;
  label?: string;
  placeholder?: string;
  compact?: boolean;
  /** Focuses the text area on devices with a keyboard. */
  autoFocus?: boolean;
}

/** Sends through the outbox, so that no message is lost. */
export function MessageComposer({
  conversation,
  label = '消息',
  placeholder = '写消息',
  compact = false,
  autoFocus = false,
}: ComposerProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const name = `${conversation.me}:${conversationId(conversation.key)}`;
  const [text, setText] = useState(() => drafts.read(name) ?? '');
  const [hasEnterHint, setEnterHint] = useState(false);
  useEffect(() => setEnterHint(hasKeyboard()), []);
  useEffect(() => {
    if (autoFocus && hasKeyboard()) area.current?.focus({ preventScroll: true });
  }, [autoFocus]);
  useEffect(() => drafts.save(name, text || undefined), [name, text]);
  const picture = useImageUpload((path) => conversation.send('image', path));

  const { replyTo } = conversation;
  useEffect(() => {
    if (replyTo !== undefined) area.current?.focus();
  }, [replyTo]);

  const content = text.trim();
  const remaining = MAX_LENGTH - lengthOf(content);

  function submit(event?: SubmitEvent): void {
    event?.preventDefault();
    area.current?.focus();
    if (content === '' || remaining < 0) return;
    conversation.send('text', content);
    setText('');
  }

  function onKeyDown(event: KeyboardEvent): void {
    // The input method handles keys while it composes.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape' && replyTo !== undefined) {
      event.stopPropagation();
      conversation.setReplyTo(undefined);
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
    if (!hasKeyboard() && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    submit();
  }

  function onPaste(event: ClipboardEvent): void {
    const [pasted] = event.clipboardData.files;
    if (pasted === undefined || !pasted.type.startsWith('image/')) return;
    event.preventDefault();
    void picture.send(pasted);
  }

  const mutedUntil = conversation.log?.mutedUntil ?? null;
  if (mutedUntil !== null) return <MutedNote until={mutedUntil} onEnd={conversation.retry} />;
  if (conversation.log !== undefined && !conversation.log.canSend && conversation.log.denialReason !== '')
    return (
      <p className={`ink-3 text-m text-center ${styles.closed}`} role="status">
        {conversation.log.denialReason}
      </p>
    );
  return (
    <div className={compact ? `${styles.composer} ${styles.compact}` : styles.composer}>
      <div className={`row ink-2 ${styles.tools}`}>
        <EmojiButton onPick={(emoji) => area.current && insertText(area.current, emoji)} />
        <Button variant="ghost" size="small" square aria-label="图片" onClick={() => file.current?.click()}>
          <Icon name="image" />
        </Button>
        <EssayButton conversation={conversation} />
        {remaining < MAX_LENGTH - COUNTER_THRESHOLD ? (
          <span className={remaining < 0 ? `${styles.left} ${styles.bad}` : styles.left} role="status">
            {remaining < 0 ? `超出 ${-remaining} 字` : `还可以写 ${remaining} 字`}
          </span>
        ) : null}
      </div>
      <ReplyTo conversation={conversation} />
      <UploadStatus {...picture} />
      <form className={styles.form} onSubmit={submit}>
        <label className="sr" htmlFor={id}>
          {label}
        </label>
        <AutoGrowTextArea
          ref={area}
          id={id}
          rows={1}
          text={text}
          value={text}
          placeholder={hasEnterHint ? `${placeholder}，Enter 发送` : placeholder}
          aria-invalid={remaining < 0 || undefined}
          enterKeyHint="enter"
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <Button variant="primary" type="submit" square={compact} aria-label={compact ? '发送' : undefined}>
          <Icon name="send" small={!compact} />
          {compact ? null : '发送'}
        </Button>
      </form>
      <FileInput
        ref={file}
        label="选择图片"
        accept={FORMATS}
        onFiles={([chosen]) => chosen && picture.send(chosen)}
      />
    </div>
  );
}
