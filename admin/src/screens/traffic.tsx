import { DownloadOutlined } from '@ant-design/icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { dayColumns, TrafficPlots } from '#admin/features/traffic/traffic-plots.tsx';
import { TrafficValues } from '#admin/features/traffic/traffic-values.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { saveAsCsv } from '#admin/ui/export-button.tsx';
import { IconButton } from '#admin/ui/icon-button.tsx';
import { RangePicker, readRequestedRange } from '#admin/ui/range-picker.tsx';
import { Card, LoadError, Screen } from '#admin/ui/screen.tsx';

const TITLE = '访问统计';

export function Page() {
  const { api } = useApp();
  const requested = readRequestedRange(useLocation().search);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...call(api, 'GET core/sys/traffic/', requested),
    placeholderData: keepPreviousData,
  });
  const isHere = data !== undefined && (error === null || !isPlaceholderData);
  return (
    <Screen
      title={TITLE}
      intro="由本站自己统计，不用 Cookie，不经过第三方。不计爬虫，也不计站内点链接换页，因为页面没有重新打开"
      actions={
        <>
          <RangePicker path="/traffic" requested={requested} displayed={data} />
          <IconButton
            label="导出 CSV：每天"
            tip="导出每天的数字"
            icon={<DownloadOutlined aria-hidden />}
            disabled={!isHere}
            onClick={() => saveAsCsv(TITLE, dayColumns, data?.days ?? [])}
          />
        </>
      }
    >
      {isHere ? (
        <>
          <TrafficPlots days={data.days} />
          <TrafficValues values={data.values} />
        </>
      ) : (
        <Card>
          {error === null ? (
            <div role="status" aria-label="正在载入">
              <Skeleton active title={false} paragraph={{ rows: 12, width: '100%' }} />
            </div>
          ) : (
            <LoadError error={error} onRetry={() => void refetch()} />
          )}
        </Card>
      )}
    </Screen>
  );
}
