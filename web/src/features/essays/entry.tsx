import type { EssayCard, ListedEssay } from '@mozhan/contract/essays.ts';
import type { ReactNode } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { usePlaces } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Day } from '#web/ui/time.tsx';
import { PriceBadges } from './badges.tsx';
import styles from './entry.module.css';
import { Marked } from './marked.tsx';

const Stat = ({ icon, label, count }: { icon: IconName; label: string; count: number }) => (
  <span className={`gap-1 ink-3 text-s numbers ${styles.stat}`}>
    <Icon name={icon} small />
    <span className="sr">{label}</span>
    {formatCount(count)}
  </span>
);

interface EntryProps {
  essay: EssayCard & Pick<ListedEssay, 'found'>;
  level?: 'h2' | 'h3';
  /** On an author's own page everyone knows who wrote it. */
  showsAuthor?: boolean;
  /** After the badges and counts. */
  foot?: ReactNode;
}

/** An essay in a list: no box, a hairline between two. All of it is the title's link; people sit above it. */
export function Entry({ essay, level: Heading = 'h2', showsAuthor = true, foot }: EntryProps) {
  const { essayHref, personHref } = usePlaces();
  const { id, title, summary, found, author, category, publishedAt } = essay;
  const excerpt = found?.excerpt ?? { text: summary, marks: [] };
  return (
    <article className={styles.entry}>
      <div className={`row gap-4 ink-3 text-s ${styles.meta}`}>
        {showsAuthor ? (
          <a className={`row gap-2 ink-2 ${styles.who}`} href={personHref(author.id)}>
            <Avatar name={author.displayName} image={author.headImg} size="small" />
            <span>{author.displayName}</span>
          </a>
        ) : null}
        {publishedAt === null ? null : <Day at={publishedAt} />}
        {category === null ? null : <span>{category.name}</span>}
      </div>
      <div className={styles.text}>
        <Heading className={styles.title}>
          <a className="stretched" href={essayHref(id)}>
            <Marked {...(found?.title ?? { text: title, marks: [] })} />
          </a>
        </Heading>
        {excerpt.text === '' ? null : (
          <p>
            <Marked {...excerpt} />
          </p>
        )}
      </div>
      <div className={`row wraps ${styles.foot}`}>
        <PriceBadges {...essay} />
        <Stat icon="eye" label="阅读" count={essay.readCount} />
        <Stat icon="heart" label="赞" count={essay.likeCount} />
        <Stat icon="comment" label="评论" count={essay.cmtCount} />
        {foot}
      </div>
      <div className={styles.cover}>
        <Cover title={title} image={essay.cover} />
      </div>
    </article>
  );
}

/** The shape of some entries. */
export const EntrySkeleton = () =>
  (['50', '70', '30'] as const).map((width) => (
    <div key={width} className={styles.entry}>
      <div className={styles.blank}>
        <Skeleton width="30" />
        <Skeleton width={width} height="m" />
        <Skeleton />
        <Skeleton width="82" />
      </div>
      <div className={styles.cover} />
    </div>
  ));
