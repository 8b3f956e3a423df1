import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { SwitchForm } from '#admin/features/switch/switch-form.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { Card, LoadError, Screen } from '#admin/ui/screen.tsx';

export function Page() {
  const { api } = useApp();
  // The form keeps its initial values, so they must not come from an old cache entry.
  const { data, error, refetch } = useQuery({ ...call(api, 'GET core/sys/switch/'), gcTime: 0 });
  return (
    <Screen title="开关" intro="保存后立即生效，读者看到的页面一并更新">
      {data === undefined ? (
        <Card>
          {error === null ? (
            <Skeleton active paragraph={{ rows: 8 }} />
          ) : (
            <LoadError error={error} onRetry={() => void refetch()} />
          )}
        </Card>
      ) : (
        <SwitchForm stored={data} />
      )}
    </Screen>
  );
}
