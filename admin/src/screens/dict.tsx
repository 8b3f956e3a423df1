import { PlusOutlined } from '@ant-design/icons';
import type { Dict } from '@mozhan/contract/dicts.ts';
import { useQuery } from '@tanstack/react-query';
import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import styles from '#admin/features/dict/dict.module.css';
import { DictForm } from '#admin/features/dict/dict-form.tsx';
import { DictList } from '#admin/features/dict/dict-list.tsx';
import { DictItems } from '#admin/features/dict/items.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { Can } from '#admin/ui/can.tsx';
import { Card, EmptyState, LoadError, Screen } from '#admin/ui/screen.tsx';

export function Page() {
  const { api, router } = useApp();
  const { path, search } = useLocation();
  const [subject, setSubject] = useState<Dict | 'new'>();
  const { data, error, refetch } = useQuery(call(api, 'GET core/sys/dict/'));
  const dicts = Array.isArray(data) ? data : undefined;
  const selected = dicts?.find(({ id }) => id === search.get('dict')) ?? dicts?.[0];
  return (
    <Screen
      title="字典"
      intro="网站各处供选择的内容：驳回理由、举报理由、技能等"
      actions={
        <Can permission="dict:create">
          <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setSubject('new')}>
            新建字典
          </Button>
        </Can>
      }
    >
      {dicts === undefined || selected === undefined ? (
        <Card>
          {error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />}
          {dicts === undefined && error === null ? (
            <div role="status" aria-label="正在载入">
              <Skeleton active paragraph={{ rows: 8 }} />
            </div>
          ) : null}
          {dicts?.length === 0 ? <EmptyState title="还没有字典" /> : null}
        </Card>
      ) : (
        <div className={styles.columns}>
          <DictList dicts={dicts} selectedId={selected.id} />
          <div>
            <DictItems key={selected.id} dict={selected} onEdit={() => setSubject(selected)} />
          </div>
        </div>
      )}
      <DictForm
        subject={subject}
        onClose={() => setSubject(undefined)}
        onSaved={({ id }) => void router.navigate(`${path}?dict=${id}`, { sameScreen: true })}
      />
    </Screen>
  );
}
