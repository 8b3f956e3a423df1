import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { PageEditor } from '#admin/features/page/editor.tsx';
import { isPageName, pageNames } from '#admin/features/page/names.ts';
import { useApp } from '#admin/lib/app-context.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { Card, LoadError, Screen } from '#admin/ui/screen.tsx';

export function Page() {
  const { api } = useApp();
  const { path, search } = useLocation();
  const { data, error, refetch } = useQuery(call(api, 'GET core/sys/page/'));
  const requested = search.get('page');
  const name = isPageName(requested) ? requested : 'about';
  const stored = Array.isArray(data) ? data.find(({ page }) => page === name) : undefined;
  return (
    <Screen
      title="说明页面"
      intro={'用 Markdown 书写；{{站名}}、{{一句话介绍}}、{{邮箱}}、{{网址}} 会换成站点设置里的内容'}
    >
      <Card>
        <LinkTabs
          label="说明页面"
          selected={name}
          tabs={Object.entries(pageNames).map(([key, label]) => ({ key, label, to: `${path}?page=${key}` }))}
        />
        {stored === undefined && error !== null ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : null}
        {stored === undefined && error === null ? <Skeleton active paragraph={{ rows: 12 }} /> : null}
        {stored === undefined ? null : <PageEditor key={name} stored={stored} />}
      </Card>
    </Screen>
  );
}
