import { CheckOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Flex, Skeleton } from 'antd';
import { useEffect, useRef } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { Card, LoadError, Placeholder, Screen } from '#admin/ui/screen.tsx';
import { auditUrl } from './audit-url.ts';
import styles from './desk.module.css';
import { EssayContent } from './essay-content.tsx';
import { AuditSidebar } from './sidebar.tsx';
import { isNoLongerPending } from './use-decide.ts';
import { useNeighbours } from './use-neighbours.ts';
import { usePagingKeys } from './use-paging-keys.ts';

/** One essay of the queue: its text, and the decision about it. */
export function AuditDesk({ id }: { id: string }) {
  const { api, router } = useApp();
  const { search } = useLocation();
  const frame = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = useQuery({
    ...call(api, 'GET core/sys/essay/audit', { id }),
    // Never refetch while the auditor reads: they would decide about text they have not seen.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { previous, next, total } = useNeighbours(id);
  const open = (to: string | undefined) => {
    if (to !== undefined) void router.navigate(auditUrl(search, to));
  };
  const isDecided = isNoLongerPending(error);
  const keys = usePagingKeys((by) => open(by === 1 ? next : previous));

  // Each essay starts scrolled to the top and focused, for screen readers.
  useEffect(() => {
    scrollTo({ top: 0, behavior: 'instant' });
    frame.current?.focus({ preventScroll: true });
  }, []);

  return (
    <Screen
      title="文章审核"
      intro={total === undefined ? '待审核的文章与修订' : `还有 ${total} 篇待审核`}
      actions={
        <Flex wrap gap={8} align="center">
          <Checkbox
            className={styles.keys}
            checked={keys.isOn}
            onChange={(event) => keys.setOn(event.target.checked)}
          >
            按 J、K 翻篇
          </Checkbox>
          <Button onClick={() => void router.navigate(auditUrl(search))}>返回列表</Button>
          <Button
            icon={<LeftOutlined aria-hidden />}
            disabled={previous === undefined}
            onClick={() => open(previous)}
          >
            上一篇
          </Button>
          <Button
            icon={<RightOutlined aria-hidden />}
            iconPlacement="end"
            disabled={next === undefined}
            onClick={() => open(next)}
          >
            下一篇
          </Button>
        </Flex>
      }
    >
      <div ref={frame} className={styles.desk} tabIndex={-1} data-open={data && !isDecided ? '' : undefined}>
        {isDecided ? (
          <Card>
            <Placeholder
              icon={<CheckOutlined />}
              title="这篇文章已不在待审之列"
              text="别人刚刚处理了它，或者作者撤回、删除了它。"
            >
              {next === undefined ? null : (
                <Button type="primary" onClick={() => open(next)}>
                  审核下一篇
                </Button>
              )}
              <Button onClick={() => void router.navigate(auditUrl(search))}>返回列表</Button>
            </Placeholder>
          </Card>
        ) : null}
        {data === undefined && error !== null && !isDecided ? (
          <Card>
            <LoadError error={error} onRetry={() => void refetch()} />
          </Card>
        ) : null}
        {data === undefined && error === null ? (
          <Card>
            <Skeleton active paragraph={{ rows: 14 }} />
          </Card>
        ) : null}
        {data === undefined || isDecided ? null : (
          <>
            <EssayContent key={data.version} essay={data} />
            <aside className={styles.side} aria-label="审核">
              <AuditSidebar essay={data} next={next ?? previous} />
            </aside>
          </>
        )}
      </div>
    </Screen>
  );
}
