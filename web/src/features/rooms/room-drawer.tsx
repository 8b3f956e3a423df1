import { errorMessageOf, hasErrorCode } from '@mozhan/client/errors.ts';
import type { ChatMessage } from '@mozhan/contract/chats.ts';
import type { Permission } from '@mozhan/contract/client.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { MessageComposer } from '#web/features/conversations/composer.tsx';
import { ConversationLog } from '#web/features/conversations/conversation-log.tsx';
import { useConversation } from '#web/features/conversations/use-conversation.ts';
import { useCall } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { MenuItem } from '#web/ui/menu-item.tsx';
import styles from './room.module.css';
import { MuteDialog, MutedDialog } from './room-mute.tsx';

interface DrawerFrameProps {
  online?: number;
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

function DrawerFrame({ online, actions, onClose, children }: DrawerFrameProps) {
  const drawer = useRef<HTMLElement>(null);
  useEffect(() => drawer.current?.focus({ preventScroll: true }), []);

  function onKeyDown({ key, target, nativeEvent }: KeyboardEvent): void {
    if (key !== 'Escape' || nativeEvent.isComposing) return;
    // Escape first closes menus and dialogs that were opened from the drawer.
    if (!(target instanceof Node && drawer.current?.contains(target))) return;
    if (drawer.current.querySelector('[aria-expanded="true"]') === null) onClose();
  }

  return (
    <section
      ref={drawer}
      className={`no-print ${styles.drawer}`}
      data-room
      aria-label="文章群聊"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header className={`row gap-2 divided ${styles.head}`}>
        <h2>群聊</h2>
        <span>{online === undefined ? '' : `${online} 人在线`}</span>
        {actions}
        <IconButton label="收起群聊" onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      {children}
    </section>
  );
}

const RoomClosed = ({ icon, children }: { icon: IconName; children: ReactNode }) => (
  <div className={`stack gap-3 ink-2 text-center ${styles.shut}`}>
    <Icon name={icon} />
    {children}
  </div>
);

const SignInPrompt = () => (
  <RoomClosed icon="chat">
    <p>读过这篇文章的人在这里聊天。</p>
    <SignInLink className={buttonClass({ variant: 'primary' })} hash="chat">
      登录后参与
    </SignInLink>
  </RoomClosed>
);

function LockedRoom({ essay, onClose }: Pick<RoomDrawerProps, 'essay' | 'onClose'>) {
  function goToOffers(): void {
    onClose();
    document.getElementById('locked')?.scrollIntoView();
  }
  return (
    <RoomClosed icon="lock">
      <p>能读全文的人才能参与这篇文章的群聊。</p>
      {essay.locked === null ? null : (
        <Button variant="primary" onClick={goToOffers}>
          如何阅读全文
        </Button>
      )}
    </RoomClosed>
  );
}

/** The same route also lists users, but not without parameters. */
function useHasPermission(permission: Permission): boolean {
  const { data } = useCall('GET core/user/');
  return data !== undefined && 'account' in data && data.permissions.includes(permission);
}

const empty = <p className="ink-3 text-center">还没有人说话，来说第一句。</p>;

function RoomChat({ essay, onClose }: RoomDrawerProps) {
  const conversation = useConversation({ essayId: essay.id });
  const [userToMute, setUserToMute] = useState<UserCard>();
  const [isMutedListOpen, setMutedListOpen] = useState(false);
  const isModerator = useHasPermission('comment:update');
  const isAuthor = conversation.me === essay.author.id;
  const { log, error, online } = conversation;

  const renderMuteItem = ({ from }: ChatMessage) =>
    from === null ? null : (
      <MenuItem icon="quiet" onClick={() => setUserToMute(from)}>
        禁言
      </MenuItem>
    );
  const moderationMenu = (
    <Menu label="管理群聊" button={<Icon name="more" />}>
      <MenuItem icon="quiet" onClick={() => setMutedListOpen(true)}>
        禁言名单
      </MenuItem>
    </Menu>
  );

  return (
    <DrawerFrame online={log && online} actions={isAuthor ? moderationMenu : null} onClose={onClose}>
      {hasErrorCode(error, 'CHAT_LOCKED') ? (
        <LockedRoom essay={essay} onClose={onClose} />
      ) : hasErrorCode(error, 'BLOCKED', 'GONE', 'NOT_FOUND') ? (
        <RoomClosed icon="quiet">
          <p>{errorMessageOf(error)}</p>
        </RoomClosed>
      ) : (
        <ConversationLog
          conversation={conversation}
          label="群聊消息"
          authorId={essay.author.id}
          empty={empty}
          canModerate={isAuthor || isModerator}
          {...(isAuthor && { extraItems: renderMuteItem })}
        />
      )}
      {log === undefined ? null : (
        <MessageComposer conversation={conversation} label="群聊消息" placeholder="说点什么" compact />
      )}
      <MuteDialog essayId={essay.id} user={userToMute} onClose={() => setUserToMute(undefined)} />
      <MutedDialog essayId={essay.id} open={isMutedListOpen} onOpenChange={setMutedListOpen} />
    </DrawerFrame>
  );
}

interface RoomDrawerProps {
  essay: Essay;
  onClose: () => void;
}

/** The group chat of an essay for readers of its full text, moderated by the author. */
export function RoomDrawer(props: RoomDrawerProps) {
  const { essay, onClose } = props;
  const isSignedIn = useCurrentUser() !== null;
  if (isSignedIn && essay.locked === null) return <RoomChat {...props} />;
  return (
    <DrawerFrame onClose={onClose}>
      {isSignedIn ? <LockedRoom essay={essay} onClose={onClose} /> : <SignInPrompt />}
    </DrawerFrame>
  );
}
