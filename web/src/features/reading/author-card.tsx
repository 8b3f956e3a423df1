import type { Output } from '@mozhan/contract/client.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { LetterButton } from '#web/features/letters/letter-button.tsx';
import { ChatLink } from '#web/features/people/chat-link.tsx';
import { FollowButton } from '#web/features/people/follow-button.tsx';
import { formatCount } from '#web/lib/format.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useHrefs } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './author-card.module.css';

interface AuthorCardProps {
  essay: Essay;
  user: Output<'GET core/user/public'> | undefined;
}

export function AuthorCard({ essay, user }: AuthorCardProps) {
  const { userHref } = useHrefs();
  const { author } = essay;
  const isOwn = useCurrentUser()?.id === author.id;
  return (
    <section className={`card stack no-print ${styles.card}`} aria-label="作者">
      <Avatar name={author.displayName} image={author.headImg} size="author" />
      <div className="grow">
        <h2 className="row wraps gap-1-5">
          <a className="brand-hover" href={userHref(author.id)}>
            {author.displayName}
          </a>
          {author.isMember ? (
            <Badge tone="member">
              <Icon name="gem" small />
              会员
            </Badge>
          ) : null}
        </h2>
        {user?.bio || author.title ? <p className="ink-2 text-m">{user?.bio || author.title}</p> : null}
        {user === undefined ? null : (
          <ul className={`flex wraps ink-3 text-s numbers ${styles.numbers}`} aria-label="数字">
            <li>
              <b>{formatCount(user.counters.essays)}</b> 文章
            </li>
            <li>
              <b>{formatCount(user.counters.followers)}</b> 粉丝
            </li>
            <li>
              <b>{formatCount(user.counters.reads)}</b> 阅读
            </li>
          </ul>
        )}
      </div>
      <div className={styles.action}>
        <FollowButton author={author} followed={essay.mine.followed} />
        {isOwn || user?.relation.blocked ? null : (
          <>
            <ChatLink userId={author.id} />
            <LetterButton user={author} essay={essay} />
          </>
        )}
      </div>
    </section>
  );
}
