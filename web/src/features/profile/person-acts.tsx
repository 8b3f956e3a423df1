import type { PublicUser, UserCard } from '@mozhan/contract/users.ts';
import type { ComponentType, ReactNode } from 'react';
import type { FollowPart } from '#web/features/people/follow-list.tsx';
import { useBlock } from '#web/features/people/use-block.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link, useView } from '#web/router/router.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { EditLink } from './edit-link.tsx';
import styles from './person-acts.module.css';

/** Of other features: the page puts them together. */
export interface PersonParts {
  Follow: FollowPart;
  Letter: ComponentType<{ user: UserCard }>;
  Report: ComponentType<{ kind: 'user'; targetId: string; children: ReactNode }>;
}

export function BlockItem({ user }: { user: PublicUser }) {
  const isSignedIn = useCurrentUser() !== null;
  const { url } = useView();
  const { block, unblock } = useBlock(user);
  const { blocked } = user.relation;
  const words = (
    <>
      <Icon name={blocked ? 'eye' : 'eyeOff'} small />
      {blocked ? '解除屏蔽' : '屏蔽'}
    </>
  );
  if (!isSignedIn)
    return (
      <Link to="/login.html" search={{ redirect: url }} rel="nofollow">
        {words}
      </Link>
    );
  return (
    <button type="button" onClick={() => void (blocked ? unblock() : block())}>
      {words}
    </button>
  );
}

/** What one can do about somebody; on one's own page, change it. */
export function PersonActs({ user, Follow, Letter, Report }: PersonParts & { user: PublicUser }) {
  const isOwn = useCurrentUser()?.id === user.id;
  const { unblock } = useBlock(user);
  if (isOwn) return <EditLink />;
  return (
    <>
      {user.relation.blocked ? (
        <Button onClick={() => void unblock()}>解除屏蔽</Button>
      ) : (
        <>
          <Follow author={user} followed={user.relation.followed} />
          <Link
            className={buttonClass()}
            to="/account/center.html"
            search={{ tab: 'chat', user: user.id }}
            rel="nofollow"
          >
            私聊
          </Link>
          <Letter user={user} />
        </>
      )}
      <div className={styles.more}>
        <Menu label="更多" button={<Icon name="more" />}>
          <li>
            <BlockItem user={user} />
          </li>
          <li>
            <Report kind="user" targetId={user.id}>
              <Icon name="flag" small />
              举报
            </Report>
          </li>
        </Menu>
      </div>
    </>
  );
}
