import type { Output } from '@mozhan/contract/client.ts';
import type { Term } from '@mozhan/contract/members.ts';
import { formatDate } from '#web/lib/format.ts';
import { useCall } from '#web/lib/queries.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { ListRow, ListRowSkeletons } from '#web/ui/list-row.tsx';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import styles from './members.module.css';
import { PlanForm } from './plan-form.tsx';

type OwnMembership = NonNullable<Output<'GET core/member/'>['mine']>;

const DAY_MS = 24 * 3600_000;

function MembershipState({ mine: { isMember, memberUntil } }: { mine: OwnMembership }) {
  if (isMember && memberUntil !== null)
    return (
      <div className={`card stack gap-3 ${styles.state}`} data-member>
        <Icon name="gem" />
        <div>
          <strong>你是会员</strong>
          <p>
            到 {formatDate(memberUntil)} 为止，还有{' '}
            {Math.ceil((Date.parse(memberUntil) - Date.now()) / DAY_MS)} 天。到期不自动续费。
          </p>
        </div>
      </div>
    );
  return (
    <div className={`card stack gap-3 ${styles.state}`}>
      <Icon name="gem" />
      <div>
        <strong>{memberUntil === null ? '你还不是会员' : '你的会员已经到期'}</strong>
        <p>
          {memberUntil === null
            ? '开通以后，会员文章都可以读到最后一个字。'
            : `到 ${formatDate(memberUntil)} 为止。再次开通从当天算起。`}
        </p>
      </div>
    </div>
  );
}

const benefits = [
  { icon: 'book', title: '读遍会员文章', text: '标着「会员」「会员免费」的文章，会员期内都能读全文、下载。' },
  { icon: 'gem', title: '会员标记', text: '主页和作者名片上，名字旁边有会员标记。' },
  { icon: 'lock', title: '不自动续费', text: '到期就停，不会再扣钱；提前续费，天数接着往后加。' },
] as const;

const Benefits = () => (
  <section aria-labelledby="gains">
    <h3 id="gains" className={styles.heading}>
      会员有什么
    </h3>
    <ul className={styles.gains}>
      {benefits.map(({ icon, title, text }) => (
        <li key={title}>
          <Icon name={icon} />
          <strong>{title}</strong>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  </section>
);

const sources: Record<Term['source'], string> = {
  order: '购买',
  grant: '赠送',
  invite: '邀请奖励',
  refund: '退款收回',
};

const TermRow = ({ term: { source, days, until, reason, createdAt } }: { term: Term }) => (
  <ListRow>
    <p>
      {sources[source]}
      {reason === '' || reason === sources[source] ? null : <small>{reason}</small>}
    </p>
    <strong className={styles.days}>
      {days > 0 ? '+' : ''}
      {days} 天
    </strong>
    <p className="ink-3 text-s">
      <RelativeTime at={createdAt} />
    </p>
    <p className="ink-3 text-s">到 {formatDate(until)}</p>
  </ListRow>
);

const TermHistory = () => (
  <section aria-labelledby="terms">
    <h3 id="terms" className={styles.heading}>
      会员期记录
    </h3>
    <InfiniteList
      label="会员期记录"
      query={useCallPages('GET core/member/term')}
      renderItem={(term) => <TermRow term={term} />}
      skeleton={<ListRowSkeletons widths={['50']} />}
      empty={<p className={styles.quiet}>还没有。开通、赠送与邀请得到的天数，都会记在这里。</p>}
    />
  </section>
);

export function MembersPanel() {
  const query = useCall('GET core/member/');
  const waiting = <LoadingSkeleton className={styles.blank} lines={['100 l', '82 m', '50 m']} />;
  return (
    <section className={styles.panel} aria-labelledby="members">
      <h2 id="members">会员</h2>
      <QueryContent query={query} level="h3" loading={waiting}>
        {({ mine, plans }) => (
          <>
            {mine === null ? null : <MembershipState mine={mine} />}
            <PlanForm plans={plans} isMember={mine?.isMember ?? false} />
            <Benefits />
            <TermHistory />
          </>
        )}
      </QueryContent>
    </section>
  );
}
