import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { NavigationEditor } from '#admin/features/navigation/navigation-editor.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { Card, LoadError, Screen } from '#admin/ui/screen.tsx';

export function Page() {
  const { api } = useApp();
  // The editor keeps its initial values, so they must not come from an old cache entry.
  const { data, error, refetch } = useQuery({
    ...call(api, 'GET core/sys/nav/'),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data !== undefined) return <NavigationEditor key={data.version} stored={data} />;
  return (
    <Screen title="导航">
      <Card>
        {error === null ? (
          <Skeleton active paragraph={{ rows: 12 }} />
        ) : (
          <LoadError error={error} onRetry={() => void refetch()} />
        )}
      </Card>
    </Screen>
  );
}
