import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { SearchEngineForm } from '#admin/features/search-engine/search-engine-form.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { Card, LoadError, Screen } from '#admin/ui/screen.tsx';

export function Page() {
  const { api } = useApp();
  // The form keeps its initial values, so they must not come from an old cache entry.
  const { data, error, refetch } = useQuery({ ...call(api, 'GET core/sys/search-engine/'), gcTime: 0 });
  return (
    <Screen title="搜索引擎" intro="向搜索引擎证明网站是你的，告诉它们哪些页面不要抓取">
      {data === undefined ? (
        <Card>
          {error === null ? (
            <Skeleton active paragraph={{ rows: 10 }} />
          ) : (
            <LoadError error={error} onRetry={() => void refetch()} />
          )}
        </Card>
      ) : (
        <SearchEngineForm stored={data} />
      )}
    </Screen>
  );
}
