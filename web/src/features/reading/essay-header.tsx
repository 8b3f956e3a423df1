import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { PriceBadges } from '#web/features/essays/badges.tsx';
import { declarationLabels } from '#web/features/essays/declarations.ts';
import { TitleText } from '#web/features/essays/title-text.tsx';
import { FollowButton } from '#web/features/people/follow-button.tsx';
import { useApp } from '#web/lib/app-context.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { fileUrl } from '#web/lib/files.ts';
import { formatCount } from '#web/lib/format.ts';
import { Link, useHrefs, useLayout } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { DateText } from '#web/ui/time.tsx';
import { essayFacts } from './essay-facts.ts';
import styles from './essay-header.module.css';

function Breadcrumbs({ category, column }: Essay) {
  const { columnHref } = useHrefs();
  const layout = useLayout();
  return (
    <nav className={`flex wraps ink-3 text-m ${styles.trail}`} aria-label="所在位置">
      {category === null ? null : layout === 'bare' ? (
        <span>{category.name}</span>
      ) : (
        <Link className="brand-hover" to="/essay/:slug.html" params={{ slug: category.slug }}>
          {category.name}
        </Link>
      )}
      {column === null ? null : (
        <a className="brand-hover" href={columnHref(column.id)}>
          专栏：{column.name}
        </a>
      )}
    </nav>
  );
}

function Byline({ essay }: { essay: Essay }) {
  const { userHref } = useHrefs();
  const { author, publishedAt, declaration, region } = essay;
  return (
    <div className={`row gap-3 ${styles.byline}`}>
      <Avatar name={author.displayName} image={author.headImg} size="face" />
      <div className="grow">
        <div className={`row wraps bold ${styles.names}`}>
          <a className="brand-hover" href={userHref(author.id)}>
            {author.displayName}
          </a>
          {declaration === 'none' ? null : <Badge>{declarationLabels[declaration].badge}</Badge>}
          <PriceBadges {...essay} />
        </div>
        <ul className={`flex wraps ink-3 text-s numbers ${styles.facts}`} aria-label="关于这篇文章">
          {publishedAt === null ? null : (
            <li>
              <DateText at={publishedAt} />
            </li>
          )}
          <li>{formatCount(essay.wordCount)} 字</li>
          <li>约 {essay.readMinutes} 分钟</li>
          <li>{formatCount(essay.readCount)} 阅读</li>
          {region === '' ? null : <li>IP 属地：{region}</li>}
        </ul>
      </div>
      <div className={`row gap-2 no-print ${styles.actions}`}>
        {essay.status === ESSAY_STATUS.onShelf ? (
          <FollowButton author={author} followed={essay.mine.followed} small />
        ) : null}
        {essay.can.edit ? (
          <Link
            to="/essay/edit.html"
            search={{ id: essay.id }}
            target="_blank"
            rel="noopener"
            className={buttonClass({ size: 'small' })}
          >
            <Icon name="pen" small />
            编辑
          </Link>
        ) : null}
      </div>
    </div>
  );
}

const statusMessages: Partial<Record<Essay['status'], string>> = {
  0: '这是一篇草稿，只有你看得到。',
  1: '这篇文章正在等待审核，读者还看不到。',
  2: '这篇文章已通过审核，还没有上架。',
  4: '这篇文章已经下架，读者看不到。',
  5: '这篇文章没有通过审核，读者看不到。',
};

export function EssayHeader({ essay }: { essay: Essay }) {
  const { filesUrl } = useApp();
  const statusMessage = statusMessages[essay.status];
  return (
    <header>
      <CachedFragment name="title" ofPage input={essayFacts(essay)}>
        {statusMessage === undefined ? null : (
          <p className={`row gap-2 text-m ${styles.state}`} role="note">
            <Icon name="info" small />
            {statusMessage}
          </p>
        )}
        <Breadcrumbs {...essay} />
        <h1 className={styles.title}>
          <TitleText title={essay.title} titleBreaks={essay.titleBreaks} />
        </h1>
        {essay.lede === '' ? null : <p className={`ink-2 ${styles.lede}`}>{essay.lede}</p>}
      </CachedFragment>
      <CachedFragment name="byline" ofPage input={essayFacts(essay) + essay.readCount}>
        <Byline essay={essay} />
      </CachedFragment>
      {essay.cover === '' ? null : (
        <div className={styles.hero}>
          <img src={fileUrl(filesUrl, essay.cover)} alt="" fetchPriority="high" />
        </div>
      )}
    </header>
  );
}
