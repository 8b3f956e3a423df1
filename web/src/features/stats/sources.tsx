import { keepPreviousData } from '@tanstack/react-query';
import { useCall } from '#web/lib/queries.ts';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import styles from './table.module.css';

const waiting = <LoadingSkeleton className={styles.blank} lines={['70 m', '82 m', '50 m']} />;

/** Where the own essays were opened from, without clicks within the site. */
export function Sources({ days }: { days: number }) {
  const query = useCall('GET core/user/stat/source', { days }, { placeholderData: keepPreviousData });
  return (
    <section aria-labelledby="own-sources">
      <header className={`row ${styles.head}`}>
        <h3 id="own-sources">从哪里来</h3>
      </header>
      <QueryContent query={query} level="h3" loading={waiting}>
        {({ list }) =>
          list.length === 0 ? (
            <p className="ink-3">这段时间还没有人从别处打开你的文章。</p>
          ) : (
            <div className={`card ${styles.scroll}`}>
              <table className={styles.table} aria-busy={query.isPlaceholderData}>
                <thead>
                  <tr>
                    <th scope="col">来源</th>
                    <th scope="col">次数</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map(({ value, count }) => (
                    <tr key={value}>
                      <th scope="row">{value}</th>
                      <td>{count.toLocaleString('zh-CN')}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </QueryContent>
    </section>
  );
}
