import type { Output } from '@mozhan/contract/client.ts';
import { EntrySkeleton } from '#web/features/essays/entry.tsx';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { usePlaces } from '#web/router/router.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { Time } from '#web/ui/time.tsx';
import styles from './own-essays.module.css';

type Visited = Output<'GET core/essay/read'>['list'][number];

/** As good as read to the end. */
const READ = 95;

function Item({ essay: { id, title, author, progress, readAt } }: { essay: Visited }) {
  const { essayHref } = usePlaces();
  return (
    <article className={styles.item}>
      <h3>
        <a href={essayHref(id)}>{title}</a>
      </h3>
      <div className={styles.facts}>
        <span>{author.displayName}</span>
        <Time at={readAt} />
        {progress >= READ ? (
          <span>已读完</span>
        ) : (
          <>
            <span>{progress === 0 ? '刚打开' : `读到 ${progress}%`}</span>
            <a className="link" href={essayHref(id)} aria-label={`继续阅读《${title}》`}>
              继续阅读
            </a>
          </>
        )}
      </div>
    </article>
  );
}

/** What one has read, the latest first, and how far. */
export function History() {
  const query = useCallPages('GET core/essay/read');
  return (
    <section aria-labelledby="history">
      <header className={styles.head}>
        <h2 id="history">足迹</h2>
      </header>
      <InfiniteList
        label="足迹"
        query={query}
        item={(essay) => <Item essay={essay} />}
        skeleton={<EntrySkeleton />}
        empty={
          <NothingYet
            level="h3"
            title="还没有足迹"
            leadsHome
            text="读过的文章会按时间排在这里，没读完的可以接着读。"
          />
        }
      />
    </section>
  );
}
