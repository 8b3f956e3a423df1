import type { Output, Permission } from '@mozhan/contract/client.ts';
import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { useQuery } from '@tanstack/react-query';
import { useApp } from '#admin/lib/app-context.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { LoadError, RefreshError } from '#admin/ui/screen.tsx';
import styles from './todo.module.css';

interface Item {
  key: keyof Output<'GET core/sys/stat/todo'>;
  label: string;
  to: string;
  permission: Permission;
}

const items: Item[] = [
  { key: 'essays', label: '待审核文章', to: '/audit', permission: 'essay:audit' },
  {
    key: 'comments',
    label: '待审核评论',
    to: `/comment?status=${COMMENT_STATUS.held}`,
    permission: 'comment:list',
  },
  { key: 'reports', label: '待处理举报', to: '/report', permission: 'report:list' },
  { key: 'applications', label: '待处理专家申请', to: '/apply', permission: 'apply:list' },
  { key: 'withdrawals', label: '待审批提现', to: '/withdraw', permission: 'withdraw:list' },
];

const REFRESH_MS = 60_000;

/** Number of pending items for the viewer, linked to their screens. */
export function Todo() {
  const { api } = useApp();
  const can = useCan();
  const { data, error, refetch } = useQuery({
    ...call(api, 'GET core/sys/stat/todo'),
    refetchInterval: REFRESH_MS,
  });
  const mine = items.filter(({ permission }) => can(permission));
  if (mine.length === 0) return null;
  if (data === undefined && error !== null) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <div>
      {error === null ? null : <RefreshError error={error} />}
      <ul className={styles.todo} aria-label="待办">
        {mine.map(({ key, label, to }) => {
          const count = data?.[key];
          return (
            <li key={key}>
              <Link to={to} className={styles.item} data-waiting={(count ?? 0) > 0}>
                {label}
                <strong>{count?.toLocaleString('zh-CN')}</strong>
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
