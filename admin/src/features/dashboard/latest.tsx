import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { nameOfCall, nameOfTarget } from '#admin/lib/operation-labels.ts';
import { call } from '#admin/lib/queries.ts';
import { Person } from '#admin/ui/person.tsx';
import { EmptyState } from '#admin/ui/screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import styles from './dashboard.module.css';
import { QueryPanel } from './query-panel.tsx';

const COUNT = 6;

interface LatestProps<T> {
  title: string;
  to: string;
  empty: string;
  query: { data: { list: T[] } | undefined; error: Error | null; refetch: () => unknown };
  row: (item: T) => ReactNode;
}

function Latest<T extends { id: string }>({ title, to, empty, query, row }: LatestProps<T>) {
  return (
    <QueryPanel title={title} to={to} query={query}>
      {({ list }) =>
        list.length === 0 ? (
          <EmptyState title={empty} />
        ) : (
          <ul className={styles.rows}>
            {list.map((item) => (
              <li key={item.id}>{row(item)}</li>
            ))}
          </ul>
        )
      }
    </QueryPanel>
  );
}

export function LatestUsers() {
  const { api } = useApp();
  const query = useQuery(call(api, 'GET core/sys/user/', { pageSize: COUNT }));
  return (
    <Latest
      title="最近注册"
      to="/user"
      empty="还没有人注册"
      query={query}
      row={({ displayName, headImg, account, createdAt }) => (
        <>
          <Person name={displayName} headImg={headImg} note={account} />
          <TimeAgo at={createdAt} />
        </>
      )}
    />
  );
}

export function LatestOperations() {
  const { api } = useApp();
  const query = useQuery(call(api, 'GET core/sys/log/', { pageSize: COUNT }));
  return (
    <Latest
      title="最近操作"
      to="/log"
      empty="还没有操作"
      query={query}
      row={({ user, call: name, summary, createdAt, ...changed }) => (
        <>
          <Person
            name={user?.displayName ?? '系统'}
            headImg={user?.headImg ?? ''}
            note={`${nameOfCall(name, summary)} · ${nameOfTarget(changed)}`}
          />
          <TimeAgo at={createdAt} />
        </>
      )}
    />
  );
}
