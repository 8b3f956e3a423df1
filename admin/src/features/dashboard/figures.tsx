import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { call, type ReadRoute } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import type { Output } from '#contract/client.ts';
import styles from './dashboard.module.css';

function Figure({ label, value, to }: { label: string; value: number | undefined; to?: string }) {
  const content: ReactNode = (
    <>
      {label}
      <strong>{value === undefined ? '' : value.toLocaleString('zh-CN')}</strong>
    </>
  );
  return (
    <li>
      {to === undefined ? (
        <div className={styles.figure}>{content}</div>
      ) : (
        <Link to={to} className={styles.figure}>
          {content}
        </Link>
      )}
    </li>
  );
}

const totalOf = (data: Output<ReadRoute> | undefined): number | undefined =>
  data !== null && data !== undefined && 'total' in data && typeof data.total === 'number'
    ? data.total
    : undefined;

/** How much there is, as far as one may know. */
export function Figures() {
  const { api } = useApp();
  const can = useCan();
  const one = { pageSize: 1 };
  const [users, staff, roles] = [can('user:list'), can('account:list'), can('role:list')];
  const audits = can('essay:audit');
  const [comments, reports, applies] = [can('comment:list'), can('report:list'), can('apply:list')];
  const withdrawals = can('withdraw:list');
  const queue = useQuery({ ...call(api, 'GET core/sys/essay/queue', one), enabled: audits });
  const heldPage = useQuery({
    ...call(api, 'GET core/sys/comment/', { ...one, status: 1 }),
    enabled: comments,
  });
  const reportPage = useQuery({
    ...call(api, 'GET core/sys/report/', { ...one, status: 0 }),
    enabled: reports,
  });
  const applyPage = useQuery({
    ...call(api, 'GET core/sys/apply/', { ...one, status: 0 }),
    enabled: applies,
  });
  const withdrawPage = useQuery({
    ...call(api, 'GET core/sys/withdraw/', { ...one, status: 0 }),
    enabled: withdrawals,
  });
  const userPage = useQuery({ ...call(api, 'GET core/sys/user/', one), enabled: users });
  const staffPage = useQuery({ ...call(api, 'GET core/sys/account/', { ...one, staff: 1 }), enabled: staff });
  const rolePage = useQuery({ ...call(api, 'GET core/sys/role/', one), enabled: roles });
  const site = useQuery(call(api, 'GET core/site/'));
  const unread = useQuery(call(api, 'GET core/user/notice/unread'));
  const mayEditCategories = can('category:create') || can('category:update') || can('category:remove');
  return (
    <ul className={styles.figures}>
      {audits ? <Figure label="待审核" value={totalOf(queue.data)} to="/audit" /> : null}
      {comments ? <Figure label="待审评论" value={totalOf(heldPage.data)} to="/comment?status=1" /> : null}
      {reports ? <Figure label="待处理举报" value={totalOf(reportPage.data)} to="/report" /> : null}
      {applies ? <Figure label="专家申请" value={totalOf(applyPage.data)} to="/apply" /> : null}
      {withdrawals ? <Figure label="待审批提现" value={totalOf(withdrawPage.data)} to="/withdraw" /> : null}
      {users ? <Figure label="用户" value={totalOf(userPage.data)} to="/user" /> : null}
      {staff ? <Figure label="工作人员" value={totalOf(staffPage.data)} to="/account" /> : null}
      {roles ? <Figure label="角色" value={totalOf(rolePage.data)} to="/role" /> : null}
      <Figure
        label="启用的分类"
        value={site.data?.categories.length}
        to={mayEditCategories ? '/category' : undefined}
      />
      <Figure label="我的未读通知" value={unread.data?.total} />
    </ul>
  );
}
