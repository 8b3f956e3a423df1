import type { ChatMessage } from '@mozhan/contract/chats.ts';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { ReportButton } from '#web/features/reports/report-button.tsx';
import { attempt } from '#web/ui/attempt.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { MenuItem } from '#web/ui/menu-item.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './message.module.css';
import type { Talk } from './use-talk.ts';

const RECALL_MS = 2 * 60_000;

export interface MessageParts {
  /** An author or member of staff, who may remove what others said in the room. */
  canModerate?: boolean;
  /** More that one can do about somebody's message: items of the menu. */
  moreActs?: (message: ChatMessage) => ReactNode;
}

interface MessageActsProps extends MessageParts {
  message: ChatMessage;
  talk: Talk;
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast('已复制');
  } catch {
    toast('没能复制，请选中文字后复制', 'warn');
  }
}

const MENU_WIDTH = 200;

/** Unfolds to where there is room in what scrolls, outside of which it would be cut off. */
function sidesOf(button: Element): { up: boolean; left: boolean } {
  const log = button.closest('[role="log"]')?.getBoundingClientRect();
  if (log === undefined) return { up: false, left: false };
  const { top, left } = button.getBoundingClientRect();
  return { up: top > log.top + log.height / 2, left: left + MENU_WIDTH > log.right };
}

/** What was chosen is gone with its menu, perhaps with its message: whoever uses keys goes on in the log. */
function backToLog({ target, currentTarget }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('li') === null) return;
  currentTarget.closest<HTMLElement>('[role="log"]')?.focus({ preventScroll: true });
}

/** What can be done with a message; beside it, seen when it is pointed at or reached by key. */
export function MessageActs({ message, talk, canModerate = false, moreActs }: MessageActsProps) {
  const [sides, setSides] = useState({ up: false, left: false });
  const isMine = message.from?.id === talk.me;
  const isRoom = talk.key.userId === undefined;
  const canRecall = isMine && Date.now() - Date.parse(message.createdAt) < RECALL_MS;
  const canRemove = isRoom && canModerate && !canRecall;
  const remove = (done: string) =>
    attempt(async () => {
      await talk.remove(message);
      toast(done);
    });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the items inside are the controls
    <div
      className={styles.acts}
      data-up={sides.up || undefined}
      data-left={sides.left || undefined}
      onPointerDownCapture={(event) => setSides(sidesOf(event.currentTarget))}
      onFocusCapture={(event) => setSides(sidesOf(event.currentTarget))}
      onClick={backToLog}
    >
      <Menu label="更多" button={<Icon name="more" small />}>
        {isRoom && talk.log?.canSend ? (
          <MenuItem icon="reply" onClick={() => talk.setReplyTo(message)}>
            回复
          </MenuItem>
        ) : null}
        {message.kind === 'text' ? (
          <MenuItem icon="copy" onClick={() => copy(message.content)}>
            复制
          </MenuItem>
        ) : null}
        {canRecall ? (
          <MenuItem icon="trash" onClick={() => remove('已撤回')}>
            撤回
          </MenuItem>
        ) : null}
        {canRemove ? (
          <MenuItem icon="trash" onClick={() => remove('已移除')}>
            移除
          </MenuItem>
        ) : null}
        {isMine ? null : moreActs?.(message)}
        {isMine ? null : (
          <li>
            <ReportButton kind="chat" targetId={message.id}>
              <Icon name="flag" small />
              举报
            </ReportButton>
          </li>
        )}
      </Menu>
    </div>
  );
}
