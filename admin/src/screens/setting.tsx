import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { SettingForm } from '#admin/features/setting/setting-form.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { Card, LoadError, Screen } from '#admin/ui/screen.tsx';

export function Page() {
  const { api } = useApp();
  // The form keeps its initial values, so they must not come from an old cache entry.
  const { data, error, refetch } = useQuery({ ...call(api, 'GET core/sys/setting/'), gcTime: 0 });
  return (
    <Screen title="站点设置" intro="保存后，读者看到的页面立即更新">
      {data === undefined ? (
        <Card>
          {error === null ? (
            <Skeleton active paragraph={{ rows: 12 }} />
          ) : (
            <LoadError error={error} onRetry={() => void refetch()} />
          )}
        </Card>
      ) : (
        <SettingForm stored={data} />
      )}
    </Screen>
  );
}
