import { hasCode, messageOf } from '@mozhan/client/errors.ts';
import type { ChatMessage } from '@mozhan/contract/chats.ts';
import type { Permission } from '@mozhan/contract/client.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Composer } from '#web/features/conversations/composer.tsx';
import { TalkLog } from '#web/features/conversations/talk-log.tsx';
import { useTalk } from '#web/features/conversations/use-talk.ts';
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

interface FrameProps {
  online?: number;
  acts?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

function Frame({ online, acts, onClose, children }: FrameProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);

  function onKeyDown({ key, target, nativeEvent }: KeyboardEvent): void {
    if (key !== 'Escape' || nativeEvent.isComposing) return;
    // What opened out of it, beside it or inside, is closed first.
    if (!(target instanceof Node && box.current?.contains(target))) return;
    if (box.current.querySelector('[aria-expanded="true"]') === null) onClose();
  }

  return (
    <section
      ref={box}
      className={`no-print ${styles.drawer}`}
      data-room
      aria-label="文章群聊"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header className={`row gap-2 divided ${styles.head}`}>
        <h2>群聊</h2>
        <span>{online === undefined ? '' : `${online} 人在线`}</span>
        {acts}
        <IconButton label="收起群聊" onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      {children}
    </section>
  );
}

const Shut = ({ icon, children }: { icon: IconName; children: ReactNode }) => (
  <div className={`stack gap-3 ink-2 text-center ${styles.shut}`}>
    <Icon name={icon} />
    {children}
  </div>
);

const SignIn = () => (
  <Shut icon="chat">
    <p>读过这篇文章的人在这里聊天。</p>
    <SignInLink className={buttonClass({ look: 'primary' })} hash="chat">
      登录后参与
    </SignInLink>
  </Shut>
);

function Locked({ essay, onClose }: Pick<RoomDrawerProps, 'essay' | 'onClose'>) {
  function goToOffers(): void {
    onClose();
    document.getElementById('locked')?.scrollIntoView();
  }
  return (
    <Shut icon="lock">
      <p>能读全文的人才能参与这篇文章的群聊。</p>
      {essay.locked === null ? null : (
        <Button look="primary" onClick={goToOffers}>
          看怎样读全文
        </Button>
      )}
    </Shut>
  );
}

/** The same call also lists people; asked without parameters it never does. */
function useHolds(permission: Permission): boolean {
  const { data } = useCall('GET core/user/');
  return data !== undefined && 'account' in data && data.permissions.includes(permission);
}

const empty = <p className="ink-3 text-center">还没有人说话，来说第一句。</p>;

function Talking({ essay, onClose }: RoomDrawerProps) {
  const talk = useTalk({ essayId: essay.id });
  const [muting, setMuting] = useState<UserCard>();
  const [isListed, setListed] = useState(false);
  const isModerator = useHolds('comment:update');
  const isAuthor = talk.me === essay.author.id;
  const { log, error, online } = talk;

  const mute = ({ from }: ChatMessage) =>
    from === null ? null : (
      <MenuItem icon="quiet" onClick={() => setMuting(from)}>
        禁言
      </MenuItem>
    );
  const muted = (
    <Menu label="管理群聊" button={<Icon name="more" />}>
      <MenuItem icon="quiet" onClick={() => setListed(true)}>
        禁言名单
      </MenuItem>
    </Menu>
  );

  return (
    <Frame online={log && online} acts={isAuthor ? muted : null} onClose={onClose}>
      {hasCode(error, 'CHAT_LOCKED') ? (
        <Locked essay={essay} onClose={onClose} />
      ) : hasCode(error, 'BLOCKED', 'GONE', 'NOT_FOUND') ? (
        <Shut icon="quiet">
          <p>{messageOf(error)}</p>
        </Shut>
      ) : (
        <TalkLog
          talk={talk}
          label="群聊消息"
          authorId={essay.author.id}
          empty={empty}
          canModerate={isAuthor || isModerator}
          {...(isAuthor && { moreActs: mute })}
        />
      )}
      {log === undefined ? null : <Composer talk={talk} label="群聊消息" placeholder="说点什么" compact />}
      <MuteDialog essayId={essay.id} user={muting} onClose={() => setMuting(undefined)} />
      <MutedDialog essayId={essay.id} open={isListed} onOpenChange={setListed} />
    </Frame>
  );
}

interface RoomDrawerProps {
  essay: Essay;
  onClose: () => void;
}

/** Who may read all of an essay talks about it here; its author keeps order. */
export function RoomDrawer(props: RoomDrawerProps) {
  const { essay, onClose } = props;
  const isSignedIn = useCurrentUser() !== null;
  if (isSignedIn && essay.locked === null) return <Talking {...props} />;
  return (
    <Frame onClose={onClose}>{isSignedIn ? <Locked essay={essay} onClose={onClose} /> : <SignIn />}</Frame>
  );
}
