import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Comment } from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import type { HighlightColor } from '@mozhan/contract/highlight-colors.ts';
import type { Highlight, Passage } from '@mozhan/contract/highlights.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ReportButton } from '#web/features/reports/report-button.tsx';
import { useCall } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { setPassagesShown } from '#web/lib/shown-passages.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { MessageText } from '#web/ui/message-text.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import { ColorDots } from './color-dots.tsx';
import { useHighlightCalls } from './highlight-calls.ts';
import styles from './highlights.module.css';
import { keepUncovered, placeBeside } from './place.ts';
import type { OpenedPassage } from './text-highlights.tsx';
import { useQuoteActions, useThoughtDialog } from './use-quote-actions.ts';

function ThoughtItem({ thought }: { thought: Comment }) {
  const { user } = thought;
  return (
    <li className={styles.thought}>
      <p className="ink-3 text-s">
        <span className="ink-2">{user?.displayName ?? '已注销的用户'}</span>{' '}
        <RelativeTime at={thought.createdAt} />
      </p>
      <MessageText html={thought.html} />
      <p className={styles.links}>
        <a className={styles.quiet} href={`#cmt-${thought.id}`}>
          回复
        </a>
        {thought.mine.canEdit || user?.id === null ? null : (
          <ReportButton kind="comment" targetId={thought.id} className={styles.quiet}>
            举报
          </ReportButton>
        )}
      </p>
    </li>
  );
}

function Thoughts({ essayId, passage }: { essayId: string; passage: Passage }) {
  const { start, end, thoughts } = passage;
  const { data } = useCall('GET core/essay/cmt/thought', { essayId, start, end }, { enabled: thoughts > 0 });
  if (thoughts === 0 || data?.list.length === 0) return null;
  if (data === undefined) return <p className="ink-3 text-s">正在载入想法…</p>;
  return (
    <ul className={styles.thoughts} aria-label="大家的想法">
      {data.list.map((thought) => (
        <ThoughtItem key={thought.id} thought={thought} />
      ))}
    </ul>
  );
}

const stateTexts = {
  [COMMENT_STATUS.visible]: '已公开',
  [COMMENT_STATUS.held]: '审核中，通过后公开',
  [COMMENT_STATUS.removed]: '已被工作人员移除，只有你能看到',
};

function OwnThought({ highlight, onUnpublish }: { highlight: Highlight; onUnpublish: () => void }) {
  const { note, thought } = highlight;
  if (note === '') return null;
  return (
    <div className={styles.note}>
      <p className={styles.words}>{note}</p>
      <p className={styles.links}>
        {thought === null ? '只有你能看到' : stateTexts[thought.status]}
        {thought === null || thought.status === COMMENT_STATUS.removed ? null : (
          <>
            <a className={styles.quiet} href={`#cmt-${thought.cmtId}`}>
              在评论里看
            </a>
            <button type="button" className={styles.quiet} onClick={onUnpublish}>
              取消公开
            </button>
          </>
        )}
      </p>
    </div>
  );
}

/** Closed by Escape, a click elsewhere, or when the text moves away. */
function useClosing(
  panel: { current: HTMLElement | null },
  isBlocked: () => boolean,
  onClose: () => void,
): void {
  const close = useRef(onClose);
  close.current = onClose;
  const blocked = useRef(isBlocked);
  blocked.current = isBlocked;
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        if (!blocked.current() && !(target instanceof Node && panel.current?.contains(target)))
          close.current();
      },
      { signal },
    );
    document.addEventListener(
      'keydown',
      ({ key, isComposing }) => {
        if (key === 'Escape' && !isComposing && !blocked.current()) close.current();
      },
      { signal },
    );
    panel.current?.focus({ preventScroll: true });
    return () => stop.abort();
  }, [panel]);
}

interface PassagePanelProps {
  essay: Essay;
  opened: OpenedPassage;
  onOpen: (opened: OpenedPassage) => void;
  onClose: () => void;
}

/** What is known about a highlighted passage, and what the reader can do with it. */
export function PassagePanel({ essay, opened, onOpen, onClose }: PassagePanelProps) {
  const { mine, passage, quote, words, rect } = opened;
  const panel = useRef<HTMLElement>(null);
  const [isBusy, setBusy] = useState(false);
  const isSignedIn = useCurrentUser() !== null;
  const calls = useHighlightCalls(essay.id);
  const thought = useThoughtDialog();
  const { canQuote, copy, quoteInComment, openPoster, posterDialog } = useQuoteActions(essay, quote, words);
  useClosing(panel, () => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null, onClose);

  useLayoutEffect(() => {
    if (panel.current === null) return;
    placeBeside(panel.current, rect, 'below');
    return keepUncovered(panel.current, rect);
  }, [rect]);

  async function run(action: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    try {
      await action();
    } catch (error) {
      toast(errorMessageOf(error), 'bad');
    } finally {
      setBusy(false);
    }
  }

  const pick = (color: HighlightColor) =>
    run(async () => {
      const saved =
        mine === null ? await calls.create(quote, { color }) : await calls.update(mine.id, { color });
      onOpen({ ...opened, mine: saved });
    });

  async function remove(highlight: Highlight): Promise<void> {
    const { note, thought } = highlight;
    const isSure =
      (note === '' && thought === null) ||
      (await confirm({
        title: '删除这处划线？',
        text: thought === null ? '写下的想法会一起删除。' : '公开的想法和它在评论里的那一条会一起删除。',
        action: '删除',
        danger: true,
      }));
    if (isSure)
      await run(async () => {
        await calls.remove(highlight);
        onClose();
      });
  }

  const unpublish = (highlight: Highlight) =>
    run(async () => onOpen({ ...opened, mine: await calls.unpublish(highlight) }));

  return (
    <>
      <section ref={panel} className={`popup ${styles.panel}`} aria-label="划线" tabIndex={-1}>
        <header className={styles.head}>
          {isSignedIn ? (
            <ColorDots selected={mine?.color} isBusy={isBusy} onPick={pick} />
          ) : (
            <SignInLink className={styles.act}>
              <Icon name="pen" small />
              登录后划线
            </SignInLink>
          )}
          <IconButton label="关闭" onClick={onClose}>
            <Icon name="close" small />
          </IconButton>
        </header>
        <div className={styles.acts}>
          {!isSignedIn || mine?.thought ? null : (
            <button type="button" className={styles.act} onClick={thought.open}>
              <Icon name="pen" small />
              {mine?.note ? '改想法' : '写想法'}
            </button>
          )}
          <button type="button" className={styles.act} onClick={copy}>
            <Icon name="copy" small />
            复制
          </button>
          {isSignedIn && canQuote ? (
            <button
              type="button"
              className={styles.act}
              onClick={() => {
                quoteInComment();
                onClose();
              }}
            >
              <Icon name="comment" small />
              引用
            </button>
          ) : null}
          <button type="button" className={styles.act} onClick={openPoster}>
            <Icon name="image" small />
            海报
          </button>
          {mine === null ? null : (
            <button type="button" className={styles.act} disabled={isBusy} onClick={() => remove(mine)}>
              <Icon name="trash" small />
              删除
            </button>
          )}
        </div>
        {mine === null ? null : <OwnThought highlight={mine} onUnpublish={() => unpublish(mine)} />}
        {passage === null || passage.readers === 0 ? null : (
          <p className="ink-3 text-s">{passage.readers} 人划过</p>
        )}
        {passage === null ? null : <Thoughts essayId={essay.id} passage={passage} />}
        {passage === null ? null : (
          <button
            type="button"
            className={`${styles.quiet} ${styles.hide}`}
            onClick={() => {
              setPassagesShown(false);
              toast('不再显示，可以在「设置 · 外观」里打开');
              onClose();
            }}
          >
            不显示大家划过的句子
          </button>
        )}
      </section>
      {thought.dialog({
        essayId: essay.id,
        highlight: mine,
        quote,
        words,
        canPublish: canQuote,
        onSaved: onClose,
      })}
      {posterDialog}
    </>
  );
}
