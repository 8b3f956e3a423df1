import { ArrowLeftOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Skeleton } from 'antd';
import { PageEditor } from '#admin/features/page/editor.tsx';
import { PageList } from '#admin/features/page/page-list.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { Card, LoadError, Screen } from '#admin/ui/screen.tsx';

function EditorScreen({ page }: { page: string }) {
  const { api, router } = useApp();
  const { data, error, refetch } = useQuery(call(api, 'GET core/sys/page/', { page }));
  const stored = Array.isArray(data) ? undefined : data;
  return (
    <Screen
      title={stored?.title ?? '页面'}
      intro={'用 Markdown 书写；{{站名}}、{{一句话介绍}}、{{邮箱}}、{{网址}} 会换成站点设置里的内容'}
      actions={
        <Button icon={<ArrowLeftOutlined aria-hidden />} onClick={() => void router.navigate('/page')}>
          全部页面
        </Button>
      }
    >
      <Card>
        {stored === undefined && error !== null ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : null}
        {stored === undefined && error === null ? <Skeleton active paragraph={{ rows: 12 }} /> : null}
        {stored === undefined ? null : <PageEditor stored={stored} />}
      </Card>
    </Screen>
  );
}

export function Page() {
  const page = useLocation().search.get('page');
  return page === null ? <PageList /> : <EditorScreen key={page} page={page} />;
}
