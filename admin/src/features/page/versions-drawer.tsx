import { useQuery } from '@tanstack/react-query';
import { Button, Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime } from '#admin/lib/format.ts';
import { call } from '#admin/lib/queries.ts';
import { LineDiff } from '#admin/ui/line-diff.tsx';
import { EmptyState, LoadError } from '#admin/ui/screen.tsx';
import { toComparableText } from './comparable-text.ts';
import type { Draft } from './editor.tsx';
import styles from './versions-drawer.module.css';

interface VersionsProps {
  page: string;
  /** Shown for versions without an author. */
  source: string;
  draft: Pick<Draft, 'title' | 'content'>;
  mayUpdate: boolean;
  onRestore: (draft: Pick<Draft, 'title' | 'content'>) => void;
}

type VersionProps = Omit<VersionsProps, 'source'> & { version: number };

function Version({ page, draft, mayUpdate, onRestore, version }: VersionProps) {
  const { api } = useApp();
  const { data, error, refetch } = useQuery(call(api, 'GET core/sys/page/version', { page, version }));
  if (data === undefined || Array.isArray(data)) {
    return error === null ? (
      <Skeleton active title={false} />
    ) : (
      <LoadError error={error} onRetry={() => void refetch()} />
    );
  }
  const isSame = toComparableText(data) === toComparableText(draft);
  return (
    <div className={styles.version}>
      {isSame ? (
        <p>与编辑器里的一样。</p>
      ) : (
        <LineDiff
          before={toComparableText(data)}
          after={toComparableText(draft)}
          label="这一版与编辑器里的差别"
        />
      )}
      {mayUpdate && !isSame ? (
        <Button onClick={() => onRestore({ title: data.title, content: data.content })}>取回这一版</Button>
      ) : null}
    </div>
  );
}

function Versions(props: VersionsProps) {
  const { api } = useApp();
  const [opened, setOpened] = useState<number>();
  const { data, error, refetch } = useQuery(call(api, 'GET core/sys/page/version', { page: props.page }));
  if (!Array.isArray(data)) {
    return error === null ? (
      <Skeleton active title={false} />
    ) : (
      <LoadError error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0) return <EmptyState title="还没有改动过" />;
  return (
    <ol>
      {data.map((row) => (
        <li key={row.version}>
          <Button
            type="text"
            block
            className={styles.name}
            aria-expanded={opened === row.version}
            onClick={() => setOpened(opened === row.version ? undefined : row.version)}
          >
            第 {row.version} 版
            <span>
              {row.user?.displayName ?? props.source}，{formatDateTime(row.createdAt)}
            </span>
          </Button>
          {opened === row.version ? <Version {...props} version={row.version} /> : null}
        </li>
      ))}
    </ol>
  );
}

interface VersionsDrawerProps extends VersionsProps {
  open: boolean;
  onClose: () => void;
}

/** Version history; an older version can be loaded into the editor. */
export function VersionsDrawer({ open, onClose, ...props }: VersionsDrawerProps) {
  return (
    <Drawer
      title="历史版本"
      open={open}
      onClose={onClose}
      size={Math.min(640, innerWidth)}
      closable={{ 'aria-label': '关闭' }}
      destroyOnHidden
    >
      <Versions {...props} />
    </Drawer>
  );
}
