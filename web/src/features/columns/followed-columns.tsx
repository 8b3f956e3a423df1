import type { Output } from '@mozhan/contract/client.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { columnQuery } from './column-query.ts';
import { ColumnRow, ColumnRowSkeletons } from './column-row.tsx';
import styles from './columns-panel.module.css';
import { FollowColumnButton } from './follow-column-button.tsx';

type FollowedColumn = Output<'GET core/essay/column/follow'>['list'][number];

/** A column that the user stops following stays in the list until it is loaded again, so that it can be followed again. */
function FollowedColumnRow({ column }: { column: FollowedColumn }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [state, setState] = useState({ followed: true, followerCount: column.followerCount });
  const { id, author, essayCount } = column;
  return (
    <ColumnRow
      column={column}
      facts={[author.displayName, `${essayCount} 篇`]}
      action={
        <FollowColumnButton
          column={{ ...column, followerCount: state.followerCount }}
          followed={state.followed}
          onChange={(changed) => {
            setState(changed);
            void queryClient.invalidateQueries({ queryKey: columnQuery(api, id).queryKey });
          }}
          small
        />
      }
    />
  );
}

export function FollowedColumns() {
  const query = useCallPages('GET core/essay/column/follow');
  return (
    <section aria-labelledby="followed-columns">
      <h2 id="followed-columns" className={styles.title}>
        关注的专栏
      </h2>
      <InfiniteList
        label="关注的专栏"
        query={query}
        renderItem={(column) => <FollowedColumnRow column={column} />}
        skeleton={<ColumnRowSkeletons />}
        empty={
          <EmptyList
            level="h3"
            title="还没有关注的专栏"
            text="在专栏的页面点一下「关注」，它有了新文章会通知你。"
          />
        }
      />
    </section>
  );
}
