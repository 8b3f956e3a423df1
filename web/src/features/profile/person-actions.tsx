import type { PublicUser } from '@mozhan/contract/users.ts';
import { LetterButton } from '#web/features/letters/letter-button.tsx';
import { ChatLink } from '#web/features/people/chat-link.tsx';
import { FollowButton } from '#web/features/people/follow-button.tsx';
import { PersonMenuItems } from '#web/features/people/person-menu-items.tsx';
import { useBlock } from '#web/features/people/use-block.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { EditLink } from './edit-link.tsx';
import styles from './person-actions.module.css';

export function PersonActions({ user }: { user: PublicUser }) {
  const isOwn = useCurrentUser()?.id === user.id;
  const { unblock } = useBlock(user);
  if (isOwn) return <EditLink />;
  return (
    <>
      {user.relation.blocked ? (
        <Button onClick={() => void unblock()}>解除屏蔽</Button>
      ) : (
        <>
          <FollowButton author={user} followed={user.relation.followed} />
          <ChatLink userId={user.id} />
          <LetterButton user={user} />
        </>
      )}
      <div className={styles.more}>
        <Menu label="更多" button={<Icon name="more" />}>
          <PersonMenuItems id={user.id} />
        </Menu>
      </div>
    </>
  );
}
