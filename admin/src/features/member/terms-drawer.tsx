import type { Member, Term } from '@mozhan/contract/members.ts';
import { formatDateTime } from '#admin/lib/format.ts';
import type { ListOf } from '#admin/lib/paged.ts';
import { DetailDrawer } from '#admin/ui/detail-drawer.tsx';
import { Loaded } from '#admin/ui/loaded.tsx';
import { SecondaryText } from '#admin/ui/secondary-text.tsx';
import styles from './member.module.css';

const sources: Record<Term['source'], string> = {
  order: '购买',
  grant: '赠送',
  invite: '邀请奖励',
  refund: '退款扣回',
};

/** Largest page size of the call. */
const MAX_TERMS = 100;

function Terms({ list, next }: ListOf<'GET core/member/term'>) {
  if (list.length === 0) return <SecondaryText>没有记录</SecondaryText>;
  return (
    <>
      <ol className={styles.terms}>
        {list.map(({ id, source, days, until, reason, by, createdAt }) => (
          <li key={id}>
            <p>
              <strong>{sources[source]}</strong>
              <span>
                {days > 0 ? '+' : ''}
                {days} 天
              </span>
              <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
            </p>
            {reason === '' ? null : <p>{reason}</p>}
            <SecondaryText>
              到期 {formatDateTime(until)}
              {by === null ? null : ` · ${by.displayName}`}
            </SecondaryText>
          </li>
        ))}
      </ol>
      {next === null ? null : <SecondaryText>更早的没有列出</SecondaryText>}
    </>
  );
}

interface TermsDrawerProps {
  subject: Member | undefined;
  onClose: () => void;
}

export const TermsDrawer = (props: TermsDrawerProps) => (
  <DetailDrawer {...props} title={({ displayName }) => `「${displayName}」的会员期`}>
    {({ id }) => (
      <Loaded
        route="GET core/member/term"
        input={{ userId: id, pageSize: MAX_TERMS }}
        skeleton={{ title: false }}
      >
        {(terms) => <Terms {...terms} />}
      </Loaded>
    )}
  </DetailDrawer>
);
