import { ReloadOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Skeleton } from 'antd';
import { Checks } from '#admin/features/health/checks.tsx';
import { Panels } from '#admin/features/health/panels.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { Can } from '#admin/ui/can.tsx';
import { Card, LoadError, RefreshError, Screen } from '#admin/ui/screen.tsx';

/** Only while the tab is visible. */
const REFRESH_MS = 15_000;

export function Page() {
  const { api } = useApp();
  const { data, error, isFetching, refetch } = useQuery({
    ...call(api, 'GET core/sys/health/'),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Screen
      title="系统状态"
      intro="数据库、文件、任务与磁盘的近况，每 15 秒更新"
      actions={
        <>
          <Can permission="checklist:list">
            <Link to="/?checklist=1">开站清单</Link>
          </Can>
          <Button icon={<ReloadOutlined aria-hidden spin={isFetching} />} onClick={() => void refetch()}>
            刷新
          </Button>
        </>
      }
    >
      {data === undefined && error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {data !== undefined && error ? <RefreshError error={error} /> : null}
      {data === undefined && !error ? (
        <Card>
          <div role="status" aria-label="正在载入">
            <Skeleton active title={false} paragraph={{ rows: 8 }} />
          </div>
        </Card>
      ) : null}
      {data === undefined ? null : (
        <>
          <Checks checks={data.checks} />
          <Panels health={data} />
        </>
      )}
    </Screen>
  );
}
