import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { PersonAvatar } from '#admin/ui/person.tsx';
import { EmptyState } from '#admin/ui/screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import styles from './dashboard.module.css';
import type { SiteStats } from './measures.ts';

type Tops = NonNullable<SiteStats['tops']>;

interface RankedProps<T> {
  title: string;
  updatedAt: string | undefined;
  list: T[] | undefined;
  row: (item: T) => ReactNode;
}

function RankedList<T extends { id: string; reads: number }>({
  title,
  updatedAt,
  list,
  row,
}: RankedProps<T>) {
  const maxReads = Math.max(1, ...(list ?? []).map(({ reads }) => reads));
  return (
    <section className={styles.panel} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {updatedAt === undefined ? null : (
          <small>
            更新于 <TimeAgo at={updatedAt} />
          </small>
        )}
      </div>
      {list === undefined ? (
        <div role="status" aria-label="正在统计">
          <Skeleton active title={false} paragraph={{ rows: 10, width: '100%' }} />
        </div>
      ) : null}
      {list?.length === 0 ? <EmptyState title="这段时间还没有人阅读" /> : null}
      <ol className={styles.ranked}>
        {list?.map((item, index) => (
          <li key={item.id}>
            <span className={styles.rank} data-first={index < 3}>
              {index + 1}
            </span>
            <span className={styles.what}>{row(item)}</span>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(item.reads / maxReads) * 100} height="1" />
            </svg>
            <span className={styles.reads}>{item.reads.toLocaleString('zh-CN')}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function TopLists({ tops }: { tops: Tops | null }) {
  const { basePath } = useApp();
  const outside = { target: '_blank', rel: 'noopener' };
  return (
    <div className={styles.panels}>
      <RankedList
        title="读得最多的文章"
        updatedAt={tops?.updatedAt}
        list={tops?.essays}
        row={({ id, title, author }) => (
          <>
            <a href={`${basePath}/essay/detail/${id}.html`} title={title} {...outside}>
              {title}
            </a>
            <small>{author.displayName}</small>
          </>
        )}
      />
      <RankedList
        title="读得最多的作者"
        updatedAt={tops?.updatedAt}
        list={tops?.writers}
        row={({ id, displayName, headImg }) => (
          <>
            <PersonAvatar name={displayName} headImg={headImg} size={20} />
            <a href={`${basePath}/user/home/${id}.html`} {...outside}>
              {displayName}
            </a>
          </>
        )}
      />
    </div>
  );
}
