import type { Star, StarPick, StarRange, starWeights } from '@mozhan/contract/code-stars.ts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { formatCount, formatDateTime } from '#web/lib/format.ts';
import type { LoadContext } from '#web/router/navigation.ts';
import { Link, useRouter } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import styles from './ranking.module.css';
import { starRanges, starsPath, starsQuery } from './stars-query.ts';

/** Copied with the contract's literal type, so that a different number is a type error. */
const weights: typeof starWeights = { reads: 1, likes: 10, collects: 20, rewards: 50 };

const metrics = [
  { key: 'reads', label: '阅读' },
  { key: 'likes', label: '点赞' },
  { key: 'collects', label: '收藏' },
  { key: 'rewards', label: '打赏' },
] as const;

const formula = metrics.map(({ key, label }) => `${label} ×${weights[key]}`).join(' + ');

export const loadRanking = ({ api, queryClient }: LoadContext, range: StarRange) =>
  queryClient.ensureQueryData(starsQuery(api, range));

function Picks({ picks }: { picks: readonly StarPick[] }) {
  if (picks.length === 0) return null;
  return (
    <section aria-labelledby="picks">
      <h2 id="picks" className={styles.subtitle}>
        编辑推荐
      </h2>
      <ul className={styles.picks}>
        {picks.map(({ user, note }) => (
          <li key={user.id} className={`row gap-3 ${styles.person} card ${styles.pick}`}>
            <Avatar name={user.displayName} image={user.headImg} size="face" />
            <div>
              <Link className="stretched brand-hover bold" to="/user/home/:id.html" params={{ id: user.id }}>
                {user.displayName}
              </Link>
              {note === '' ? null : <p className="ink-2 text-s pretty">{note}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** On phones the numbers are below the name instead of in columns. */
function Row({ star }: { star: Star }) {
  const { rank, user, score } = star;
  return (
    <tr>
      <td className={styles.rank}>{rank}</td>
      <th scope="row">
        <div className={`row gap-3 ${styles.person}`}>
          <Avatar name={user.displayName} image={user.headImg} size="face" />
          <div>
            <Link className="brand-hover bold" to="/user/home/:id.html" params={{ id: user.id }}>
              {user.displayName}
            </Link>
            {user.title === '' ? null : <p className="ink-3 text-s">{user.title}</p>}
            <p className="only-on-phone ink-3 text-s">
              {metrics
                .filter(({ key }) => star[key] > 0)
                .map(({ key, label }) => `${label} ${formatCount(star[key])}`)
                .join(' · ')}
            </p>
          </div>
        </div>
      </th>
      {metrics.map(({ key }) => (
        <td key={key} className="not-on-phone ink-2">
          {formatCount(star[key])}
        </td>
      ))}
      <td className="bold">{formatCount(score)}</td>
    </tr>
  );
}

function Table({ stars, label }: { stars: readonly Star[]; label: string }) {
  return (
    <table className={styles.table}>
      <caption className="sr">{label}的排名</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr">名次</span>
          </th>
          <th scope="col">作者</th>
          {metrics.map(({ key, label }) => (
            <th key={key} scope="col" className="not-on-phone">
              {label}
            </th>
          ))}
          <th scope="col">得分</th>
        </tr>
      </thead>
      <tbody>
        {stars.map((star) => (
          <Row key={star.user.id} star={star} />
        ))}
      </tbody>
    </table>
  );
}

/** Ranking of writers by the reactions to their essays, and the editors' picks. */
export function StarRanking({ range }: { range: StarRange }) {
  const { href } = useRouter();
  const { data } = useQuery(starsQuery(useApi(), range));
  if (data === undefined) return null;
  const label = starRanges.find(({ key }) => key === range)?.label ?? '';
  return (
    <div className={`stack ${styles.ranking}`}>
      <header>
        <h1>码星</h1>
        <p className={`ink-3 text-m pretty ${styles.quiet}`}>
          得分 = {formula}，只算已发布的文章，每十分钟更新。
          {data.updatedAt === null ? null : (
            <>
              上次更新：
              <span className={styles.updated}>{formatDateTime(data.updatedAt).slice(0, 16)}</span>
            </>
          )}
        </p>
      </header>
      <Picks picks={data.picks} />
      <div>
        <LinkTabs
          label="范围"
          selected={range}
          tabs={starRanges.map(({ key, label }) => ({ key, label, href: href(starsPath(key)) }))}
        />
        {data.list.length === 0 ? (
          <EmptyList title="还没有人上榜" text="有人读了、赞了、收藏了文章以后，作者会出现在这里。" />
        ) : (
          <Table stars={data.list} label={label} />
        )}
      </div>
    </div>
  );
}
