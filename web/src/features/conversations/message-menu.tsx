import type { ChatMessage } from '@mozhan/contract/chats.ts';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { ReportButton } from '#web/features/reports/report-button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { MenuItem } from '#web/ui/menu-item.tsx';
import { runWithErrorToast } from '#web/ui/run-with-error-toast.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './message.module.css';
import type { OpenConversation } from './use-conversation.ts';

const RECALL_MS = 2 * 60_000;

export interface MessageMenuOptions {
  /** Set for authors and staff, who may remove messages of others in the room. */
  canModerate?: boolean;
  /** Additional menu items for messages of others. */
  extraItems?: (message: ChatMessage) => ReactNode;
}

interface MessageMenuProps extends MessageMenuOptions {
  message: ChatMessage;
  conversation: OpenConversation;
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

/** The direction in which the menu fits into the scroll container. */
function menuDirection(button: Element): { up: boolean; left: boolean } {
  const log = button.closest('[role="log"]')?.getBoundingClientRect();
  if (log === undefined) return { up: false, left: false };
  const { top, left } = button.getBoundingClientRect();
  return { up: top > log.top + log.height / 2, left: left + MENU_WIDTH > log.right };
}

/** The focused item disappears with the menu, so keyboard focus moves to the log. */
function focusLog({ target, currentTarget }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('li') === null) return;
  currentTarget.closest<HTMLElement>('[role="log"]')?.focus({ preventScroll: true });
}

export function MessageMenu({ message, conversation, canModerate = false, extraItems }: MessageMenuProps) {
  const [direction, setDirection] = useState({ up: false, left: false });
  const isMine = message.from?.id === conversation.me;
  const isRoom = conversation.key.userId === undefined;
  const canRecall = isMine && Date.now() - Date.parse(message.createdAt) < RECALL_MS;
  const canRemove = isRoom && canModerate && !canRecall;
  const remove = (done: string) =>
    runWithErrorToast(async () => {
      await conversation.remove(message);
      toast(done);
    });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the items inside are the controls
    <div
      className={styles.acts}
      data-up={direction.up || undefined}
      data-left={direction.left || undefined}
      onPointerDownCapture={(event) => setDirection(menuDirection(event.currentTarget))}
      onFocusCapture={(event) => setDirection(menuDirection(event.currentTarget))}
      onClick={focusLog}
    >
      <Menu label="更多" button={<Icon name="more" small />}>
        {isRoom && conversation.log?.canSend ? (
          <MenuItem icon="reply" onClick={() => conversation.setReplyTo(message)}>
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
        {isMine ? null : extraItems?.(message)}
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
