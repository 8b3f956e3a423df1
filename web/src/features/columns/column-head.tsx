import type { ColumnDetail, ColumnFollowState } from '@mozhan/contract/columns.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { formatCount } from '#web/lib/format.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link, useHrefs, useRouter } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Progress } from '#web/ui/progress.tsx';
import styles from './column-head.module.css';
import { columnQuery } from './column-query.ts';
import { FollowColumnButton } from './follow-column-button.tsx';
import { ShareColumnButton } from './share-column-button.tsx';

interface ColumnProps {
  column: ColumnDetail;
}

function Facts({ column: { essayCount, wordCount, followerCount, paidCount } }: ColumnProps) {
  const facts = [
    [formatCount(essayCount), '篇'],
    [formatCount(wordCount), '字'],
    [formatCount(followerCount), '人关注'],
    ...(paidCount > 0 ? [[formatCount(paidCount), '篇付费']] : []),
  ];
  return (
    <ul className={`flex wraps ink-3 text-m ${styles.facts}`} aria-label="数字">
      {facts.map(([count, unit]) => (
        <li key={unit}>
          <b>{count}</b> {unit}
        </li>
      ))}
    </ul>
  );
}

/** Which essay the button opens; one line for everyone, so that nothing moves when the progress is known. */
function StartLine({ column: { essayCount, first, mine } }: ColumnProps) {
  const { essayHref } = useHrefs();
  const { resume, finished } = mine;
  if (first === null) return null;
  if (resume === null)
    return (
      <p className={`row gap-3 ink-3 text-m ${styles.line}`}>
        <span className="ellipsis">
          {finished < essayCount ? `第 1 篇　${first.title}` : `${essayCount} 篇都读完了`}
        </span>
      </p>
    );
  const { position, title, progress } = resume;
  return (
    <p className={`row gap-3 ink-3 text-m ${styles.line}`}>
      <span className="ellipsis">
        第 {position} 篇　{title}
        {progress > 0 ? `　读到 ${progress}%` : ''}
      </span>
      {position === 1 ? null : (
        <a className="link" href={essayHref(first)}>
          从第一篇读起
        </a>
      )}
    </p>
  );
}

/** Where to begin or to continue; the progress is shown to signed-in readers. */
function Start({ column }: ColumnProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { essayHref } = useHrefs();
  const { href } = useRouter();
  const user = useCurrentUser();
  const { id, first, essayCount, mine } = column;
  const target = mine.resume ?? first;
  const onFollow = ({ followed, followerCount }: ColumnFollowState) =>
    queryClient.setQueryData(
      columnQuery(api, id).queryKey,
      (shown) => shown && { ...shown, followerCount, mine: { ...shown.mine, followed } },
    );
  return (
    <div className={styles.start}>
      <div className={styles.actions}>
        {target === null ? null : (
          <a className={`${buttonClass({ variant: 'primary' })} ${styles.primary}`} href={essayHref(target)}>
            <Icon name="book" small />
            {mine.resume === null ? '从第一篇读起' : '继续阅读'}
          </a>
        )}
        {user?.id === column.author.id ? (
          <Link to="/account/center.html" search={{ tab: 'column' }} className={buttonClass()}>
            <Icon name="settings" small />
            管理专栏
          </Link>
        ) : (
          <FollowColumnButton column={column} followed={mine.followed} onChange={onFollow} />
        )}
        <ShareColumnButton column={column} />
        <a
          className={buttonClass({ variant: 'ghost' })}
          href={href(`/column/${id}/feed.xml`)}
          type="application/atom+xml"
        >
          <Icon name="rss" small />
          订阅 RSS
        </a>
      </div>
      <StartLine column={column} />
      {essayCount === 0 ? null : (
        <div className={styles.progress} data-for="member">
          <Progress value={mine.finished / essayCount} label="读完的篇数" />
          <small>
            读完 {mine.finished} / {essayCount} 篇
          </small>
        </div>
      )}
    </div>
  );
}

export function ColumnHead({ column }: ColumnProps) {
  const { userHref } = useHrefs();
  const { name, summary, cover, author } = column;
  return (
    <section className={styles.head} aria-label="专栏">
      <div className={styles.cover}>
        <Cover title={name} image={cover} />
      </div>
      <div className={styles.words}>
        <p className="ink-3 text-s">
          <a className="brand-hover" href={userHref(author.id, { tab: 'column' })}>
            专栏
          </a>
        </p>
        <h1 className={styles.name}>{name}</h1>
        <a className={`row gap-2 ink-2 text-m brand-hover ${styles.author}`} href={userHref(author.id)}>
          <Avatar name={author.displayName} image={author.headImg} size="small" />
          {author.displayName}
        </a>
      </div>
      <div className={styles.more}>
        {summary === '' ? null : <p className={styles.summary}>{summary}</p>}
        <Facts column={column} />
        <Start column={column} />
      </div>
    </section>
  );
}
