import type { EssayCard, ListedEssay, RecommendReason } from '@mozhan/contract/essays.ts';
import type { ReactNode } from 'react';
import type { CoverChoice } from '#web/lib/cover-choice.ts';
import { formatCount } from '#web/lib/format.ts';
import { useHrefs } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { DateText } from '#web/ui/time.tsx';
import { PartialBadge, PinnedBadge, PriceBadges } from './badges.tsx';
import styles from './essay-entry.module.css';
import { HighlightedText } from './highlighted-text.tsx';
import { TitleText } from './title-text.tsx';

const Stat = ({ icon, label, count }: { icon: IconName; label: string; count: number }) => (
  <span className={`gap-1 ink-3 text-s numbers ${styles.stat}`}>
    <Icon name={icon} small />
    <span className="sr">{label}</span>
    {formatCount(count)}
  </span>
);

const reasons: Record<RecommendReason['kind'], string> = {
  author: '你关注的作者',
  column: '你关注的专栏',
  tag: '你关注的标签',
};

/** Why the essay is recommended. */
const Reason = ({ kind, name }: RecommendReason) => (
  <span className={`ellipsis ${styles.reason}`}>{[reasons[kind], name].filter(Boolean).join(' · ')}</span>
);

interface EssayEntryProps {
  essay: EssayCard & Pick<ListedEssay, 'found' | 'pinned' | 'reason'>;
  level?: 'h2' | 'h3';
  /** False on an author's own page, where the author is evident. */
  showsAuthor?: boolean;
  /** The generated picture in a list; null: no picture. */
  cover?: CoverChoice | null | undefined;
  /** Rendered after the badges and counts. */
  footer?: ReactNode;
}

/** An essay in a list. The title's link covers the entire entry; the author's link lies above it. */
export function EssayEntry({
  essay,
  level: Heading = 'h2',
  showsAuthor = true,
  cover,
  footer,
}: EssayEntryProps) {
  const { essayHref, userHref } = useHrefs();
  const { title, summary, found, author, category, publishedAt } = essay;
  const excerpt = found?.excerpt ?? { text: summary, marks: [] };
  return (
    <article className={styles.entry}>
      <div className={`row gap-4 ink-3 text-s ${styles.meta}`}>
        {essay.pinned === true ? <PinnedBadge /> : null}
        {showsAuthor ? (
          <a className={`row gap-2 ink-2 ${styles.who}`} href={userHref(author.id)}>
            <Avatar name={author.displayName} image={author.headImg} size="small" />
            <span>{author.displayName}</span>
          </a>
        ) : null}
        {publishedAt === null ? null : <DateText at={publishedAt} />}
        {category === null ? null : <span>{category.name}</span>}
        {essay.reason === undefined ? null : <Reason {...essay.reason} />}
        {found?.partial === true ? <PartialBadge /> : null}
      </div>
      <div className={styles.text}>
        <Heading className={styles.title}>
          <a className="stretched" href={essayHref(essay)}>
            <TitleText title={title} titleBreaks={essay.titleBreaks} marks={found?.title.marks} />
          </a>
        </Heading>
        {excerpt.text === '' ? null : (
          <p>
            <HighlightedText {...excerpt} />
          </p>
        )}
      </div>
      <div className={`row wraps ${styles.foot}`}>
        <PriceBadges {...essay} />
        <Stat icon="eye" label="阅读" count={essay.readCount} />
        <Stat icon="heart" label="赞" count={essay.likeCount} />
        <Stat icon="comment" label="评论" count={essay.cmtCount} />
        {footer}
      </div>
      {cover === null ? null : (
        <div className={styles.cover}>
          <Cover title={title} image={essay.cover} choice={cover} />
        </div>
      )}
    </article>
  );
}

export const EssayEntrySkeleton = () =>
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
