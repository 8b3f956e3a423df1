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
import { keptValues } from '#web/lib/kept-values.ts';
import { Button } from '#web/ui/button.tsx';
import { EmojiPicker } from '#web/ui/emoji-picker.tsx';
import { FileInput } from '#web/ui/file-input.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { useLateDialog } from '#web/ui/late-dialog.tsx';
import { GrowingText } from '#web/ui/text-box.tsx';
import { useImageUpload } from '#web/ui/use-image-upload.ts';
import styles from './composer.module.css';
import { excerptOf } from './excerpt.ts';
import { talkName } from './outbox.ts';
import type { Talk } from './use-talk.ts';

/** What was typed and not sent. */
const drafts = keptValues<string>('chat-drafts', 20);

const LONGEST = 2000;
/** From here on one wants to know how much is left. */
const NEAR = 1800;
const FORMATS = 'image/jpeg,image/png,image/webp,image/gif';

const lengthOf = (text: string) => (text.length < NEAR ? text.length : [...text].length);

/** Where fingers type, the key for a new line is needed for that. */
const hasKeyboard = () => !matchMedia('(pointer: coarse)').matches;

/** A panel above its button; closed by Escape or by going elsewhere. */
function Emoji({ onPick }: { onPick: (emoji: string) => void }) {
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
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches the keys of what is inside
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
        look="ghost"
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

function EssayButton({ talk }: { talk: Talk }) {
  const { open, close, dialog } = useLateDialog(loadPicker);

  function onPick(id: string): void {
    close();
    talk.send('essay', id);
  }

  return (
    <>
      <Button
        look="ghost"
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

function ReplyTo({ talk }: { talk: Talk }) {
  const { replyTo, setReplyTo } = talk;
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

function Uploading({ upload, send, stop }: Upload) {
  if (upload.at === 'rest') return null;
  if (upload.at === 'sending')
    return (
      <p className={styles.note} role="status">
        正在上传图片… {Math.round(upload.fraction * 100)}%
        <button type="button" onClick={stop}>
          取消
        </button>
      </p>
    );
  return (
    <p className={`${styles.note} ${styles.bad}`} role="alert">
      <Icon name="warn" small />
      {upload.sentence}
      {upload.file === undefined ? null : (
        <button type="button" onClick={() => upload.file && void send(upload.file)}>
          重试
        </button>
      )}
      <button type="button" onClick={stop}>
        取消
      </button>
    </p>
  );
}

interface ComposerProps {
  talk: Talk;
  label?: string;
  placeholder?: string;
  /** Where there is little room: the button is its icon. */
  compact?: boolean;
  /** Ready to be typed into, where there is a keyboard. */
  autoFocus?: boolean;
}

/** Writes into a conversation; what is sent goes to the outbox, so nothing typed is ever lost. */
export function Composer({
  talk,
  label = '消息',
  placeholder = '写消息',
  compact = false,
  autoFocus = false,
}: ComposerProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const name = `${talk.me}:${talkName(talk.key)}`;
  const [text, setText] = useState(() => drafts.read(name) ?? '');
  const [isKeyed, setKeyed] = useState(false);
  useEffect(() => setKeyed(hasKeyboard()), []);
  useEffect(() => {
    if (autoFocus && hasKeyboard()) area.current?.focus({ preventScroll: true });
  }, [autoFocus]);
  useEffect(() => drafts.keep(name, text || undefined), [name, text]);
  const picture = useImageUpload((path) => talk.send('image', path));

  const { replyTo } = talk;
  useEffect(() => {
    if (replyTo !== undefined) area.current?.focus();
  }, [replyTo]);

  const content = text.trim();
  const left = LONGEST - lengthOf(content);

  function submit(event?: SubmitEvent): void {
    event?.preventDefault();
    area.current?.focus();
    if (content === '' || left < 0) return;
    talk.send('text', content);
    setText('');
  }

  function onKeyDown(event: KeyboardEvent): void {
    // The keys belong to the input method while it composes.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape' && replyTo !== undefined) {
      event.stopPropagation();
      talk.setReplyTo(undefined);
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

  if (talk.log !== undefined && !talk.log.canSend && talk.log.why !== '')
    return (
      <p className={`ink-3 text-m text-center ${styles.closed}`} role="status">
        {talk.log.why}
      </p>
    );
  return (
    <div className={compact ? `${styles.composer} ${styles.compact}` : styles.composer}>
      <div className={`row ink-2 ${styles.tools}`}>
        <Emoji onPick={(emoji) => area.current && insertText(area.current, emoji)} />
        <Button look="ghost" size="small" square aria-label="图片" onClick={() => file.current?.click()}>
          <Icon name="image" />
        </Button>
        <EssayButton talk={talk} />
        {left < LONGEST - NEAR ? (
          <span className={left < 0 ? `${styles.left} ${styles.bad}` : styles.left} role="status">
            {left < 0 ? `超出 ${-left} 字` : `还可以写 ${left} 字`}
          </span>
        ) : null}
      </div>
      <ReplyTo talk={talk} />
      <Uploading {...picture} />
      <form className={styles.form} onSubmit={submit}>
        <label className="sr" htmlFor={id}>
          {label}
        </label>
        <GrowingText
          ref={area}
          id={id}
          rows={1}
          text={text}
          value={text}
          placeholder={isKeyed ? `${placeholder}，Enter 发送` : placeholder}
          aria-invalid={left < 0 || undefined}
          enterKeyHint="enter"
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <Button look="primary" type="submit" square={compact} aria-label={compact ? '发送' : undefined}>
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
