import { asCallError, messageOf } from '@mozhan/client/errors.ts';
import { queriesOf } from '@mozhan/client/query-filter.ts';
import type { TalkKey } from '@mozhan/contract/live.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Composer } from '#web/features/conversations/composer.tsx';
import { talkName } from '#web/features/conversations/outbox.ts';
import { TalkLog, type TalkLogProps } from '#web/features/conversations/talk-log.tsx';
import { type Talk, useTalk } from '#web/features/conversations/use-talk.ts';
import { PersonItems } from '#web/features/people/person-items.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { useCall } from '#web/lib/queries.ts';
import { Link, pathTo, useRouter } from '#web/router/router.tsx';
import { attempt } from '#web/ui/attempt.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { MenuItem } from '#web/ui/menu-item.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './talks.module.css';

interface PaneProps {
  target?: number;
}

interface FrameProps {
  label: string;
  talk: Talk;
  /** With whom or about what it is, once that is known. */
  head: ReactNode;
  menu: ReactNode;
  children: ReactNode;
}

/** Without a connection it is said once, above all else. */
const Offline = ({ talk }: { talk: Talk }) =>
  talk.isStuck ? (
    <p className={`row gap-2 text-s ${styles.offline}`} role="status">
      <Icon name="offline" small />
      没有连上网络，写下的消息会在连上以后发出
    </p>
  ) : null;

const blank = (
  <>
    <Skeleton round height="m" />
    <Skeleton width="30" />
  </>
);

const isShut = (error: Error | null): error is Error =>
  error !== null && (asCallError(error)?.status ?? 500) < 500;

function Frame({ label, talk, head, menu, children }: FrameProps) {
  const isRoom = talk.key.userId === undefined;
  return (
    <section className={styles.talk} aria-label={label}>
      <header className={`row gap-3 divided ${styles.head}`}>
        <Link
          className={`${buttonClass({ look: 'ghost', square: true })} ${styles.back}`}
          to="/account/center.html"
          search={{ tab: 'chat', kind: isRoom ? 'room' : undefined }}
          aria-label="返回会话列表"
        >
          <Icon name="left" />
        </Link>
        {head ?? (isShut(talk.error) ? <h2>{isRoom ? '群聊' : '私聊'}</h2> : blank)}
        <div className={styles.more}>
          <Menu label="更多" button={<Icon name="more" />}>
            {menu}
          </Menu>
        </div>
      </header>
      <Offline talk={talk} />
      {children}
    </section>
  );
}

/** Whoever may not be here is told why, in the place of the words. */
const Shut = ({ error }: { error: Error }) => (
  <div className={styles.shut}>
    <NothingYet level="h3" title="这里暂时看不到">
      {messageOf(error)}
    </NothingYet>
  </div>
);

interface BodyProps extends TalkLogProps {
  /** Said of where one writes. */
  write: string;
}

function Body({ write, ...log }: BodyProps) {
  const { talk } = log;
  if (isShut(talk.error)) return <Shut error={talk.error} />;
  return (
    <>
      <TalkLog {...log} />
      {talk.log === undefined ? null : <Composer talk={talk} label={write} autoFocus />}
    </>
  );
}

function PrivatePane({ userId, target }: PaneProps & { userId: string }) {
  const talk = useTalk({ userId });
  const { data: user } = useCall('GET core/user/public', { id: userId });
  const { retry } = talk;
  const isBlocked = user?.relation.blocked;

  // Whether one may write depends on it.
  const before = useRef(isBlocked);
  useEffect(() => {
    if (before.current !== undefined && before.current !== isBlocked) retry();
    before.current = isBlocked;
  });

  const name = user?.displayName ?? '';
  const head = user && (
    <>
      <Avatar name={name} image={user.headImg} size="face" />
      <div className={styles.name}>
        <h2>{name}</h2>
        {user.title === '' ? null : <small>{user.title}</small>}
      </div>
    </>
  );
  const menu = (
    <>
      <li>
        <Link to="/user/home/:id.html" params={{ id: userId }}>
          <Icon name="user" small />
          看主页
        </Link>
      </li>
      <PersonItems id={userId} />
    </>
  );
  return (
    <Frame label={`与${name}的私聊`} talk={talk} head={head} menu={menu}>
      <Body
        talk={talk}
        label="消息"
        write={`给${name}的消息`}
        target={target}
        empty={
          <p className={`ink-3 text-s text-center ${styles.first}`}>
            还没有说过话。对方没有关注你时，回复以前最多能发 3 条。
          </p>
        }
      />
    </Frame>
  );
}

function RoomPane({ essayId, target }: PaneProps & { essayId: string }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { navigate } = useRouter();
  const talk = useTalk({ essayId });
  const { data: essay } = useCall('GET core/essay/{id}', { id: essayId });
  const { online } = talk;

  async function leave(): Promise<void> {
    await attempt(async () => {
      await api('PUT core/essay/group/chat', { essayId, left: true });
      await queryClient.invalidateQueries(queriesOf('GET core/essay/group/chat'));
      await navigate(pathTo({ to: '/account/center.html', search: { tab: 'chat', kind: 'room' } }));
      toast('已退出，再说一句话就会回来');
    });
  }

  const head = essay && (
    <>
      <span className={styles.cover}>
        <Cover title={essay.title} image={essay.cover} />
      </span>
      <div className={styles.name}>
        <h2>{essay.title}</h2>
        <small>{online === undefined ? '群聊' : `群聊，${online} 人在线`}</small>
      </div>
    </>
  );
  const menu = (
    <>
      <li>
        <Link to="/essay/detail/:id.html" params={{ id: essayId }}>
          <Icon name="book" small />
          看文章
        </Link>
      </li>
      <MenuItem icon="logout" onClick={leave}>
        退出群聊
      </MenuItem>
    </>
  );
  return (
    <Frame label={`群聊：${essay?.title ?? ''}`} talk={talk} head={head} menu={menu}>
      <Body
        talk={talk}
        label="群聊消息"
        write="说给大家的话"
        target={target}
        authorId={essay?.author.id}
        canModerate={essay?.author.id === talk.me}
        empty={<p className={`ink-3 text-s text-center ${styles.first}`}>还没有人说话，来说第一句。</p>}
      />
    </Frame>
  );
}

/** One conversation, with whom or what it is. */
export const TalkPane = ({ talk, ...rest }: PaneProps & { talk: TalkKey }) =>
  talk.userId === undefined ? (
    <RoomPane key={talkName(talk)} essayId={talk.essayId} {...rest} />
  ) : (
    <PrivatePane key={talkName(talk)} userId={talk.userId} {...rest} />
  );
