import type { Member, Term } from '@mozhan/contract/members.ts';
import { useQuery } from '@tanstack/react-query';
import { Drawer, Skeleton } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime } from '#admin/lib/format.ts';
import { call } from '#admin/lib/queries.ts';
import { Failed } from '#admin/ui/screen.tsx';
import { useOpenings } from '#admin/ui/use-openings.ts';
import styles from './member.module.css';

const sources: Record<Term['source'], string> = {
  order: '购买',
  grant: '赠送',
  invite: '邀请奖励',
  refund: '退款扣回',
};

/** As many as fit one answer; hardly anybody has more. */
const MOST = 100;

function Terms({ userId }: { userId: string }) {
  const { api } = useApp();
  const { data, error, refetch } = useQuery(call(api, 'GET core/member/term', { userId, pageSize: MOST }));
  if (data === undefined)
    return error === null ? (
      <Skeleton active title={false} />
    ) : (
      <Failed error={error} onRetry={() => void refetch()} />
    );
  if (data.list.length === 0) return <p className={styles.none}>没有记录</p>;
  return (
    <>
      <ol className={styles.terms}>
        {data.list.map(({ id, source, days, until, reason, by, createdAt }) => (
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
            <p className={styles.none}>
              到期 {formatDateTime(until)}
              {by === null ? null : ` · ${by.displayName}`}
            </p>
          </li>
        ))}
      </ol>
      {data.next === null ? null : <p className={styles.none}>更早的没有列出</p>}
    </>
  );
}

interface TermsDrawerProps {
  subject: Member | undefined;
  onClose: () => void;
}

/** How somebody came to be a member for so long. */
export function TermsDrawer({ subject, onClose }: TermsDrawerProps) {
  const { shown } = useOpenings(subject !== undefined, subject);
  return (
    <Drawer
      title={`「${shown?.displayName}」的会员期`}
      open={subject !== undefined}
      onClose={onClose}
      size={Math.min(480, innerWidth)}
      closable={{ 'aria-label': '关闭' }}
      destroyOnHidden
    >
      {shown === undefined ? null : <Terms userId={shown.id} />}
    </Drawer>
  );
}
