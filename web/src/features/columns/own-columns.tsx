import type { Column } from '@mozhan/contract/columns.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { formatPriceTag } from '@mozhan/contract/money.ts';
import { type InfiniteData, type UseInfiniteQueryResult, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { formatCount } from '#web/lib/format.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';
import { Menu, MenuSeparator } from '#web/ui/menu.tsx';
import { MenuItem } from '#web/ui/menu-item.tsx';
import { runWithErrorToast } from '#web/ui/run-with-error-toast.ts';
import { toast } from '#web/ui/toast.tsx';
import { columnQuery } from './column-query.ts';
import { ColumnRow, ColumnRowSkeletons } from './column-row.tsx';
import styles from './columns-panel.module.css';

const loadColumnDialog = () => import('./column-dialog.tsx').then(({ ColumnDialog }) => ColumnDialog);
const loadSortDialog = () => import('./sort-dialog.tsx').then(({ SortDialog }) => SortDialog);

/** After a change of the columns or of their essays. */
function useReload() {
  const api = useApi();
  const queryClient = useQueryClient();
  return (id?: string): void => {
    void queryClient.invalidateQueries({ queryKey: ['GET core/essay/column'] });
    if (id === undefined) return;
    void queryClient.invalidateQueries({ queryKey: columnQuery(api, id).queryKey });
    void queryClient.invalidateQueries({ queryKey: ['GET core/essay/'] });
  };
}

function RowMenu({ column }: { column: Column }) {
  const api = useApi();
  const reload = useReload();
  const edit = useLazyDialog(loadColumnDialog);
  const sort = useLazyDialog(loadSortDialog);
  const { id, name, essayCount, followerCount } = column;

  async function remove(): Promise<void> {
    const kept =
      essayCount > 0 ? `里面的 ${essayCount} 篇文章会留下，只是不再属于专栏。` : '里面没有已上架的文章。';
    const isSure = await confirm({
      title: `删除专栏「${name}」？`,
      text:
        followerCount > 0 ? `${kept}关注它的 ${formatCount(followerCount)} 人不再收到新文章的通知。` : kept,
      action: '删除',
      danger: true,
    });
    if (!isSure || !(await runWithErrorToast(() => api('DELETE core/essay/column', { id })))) return;
    toast(`已删除「${name}」`);
    reload(id);
  }

  return (
    <>
      <Menu label={`专栏《${name}》的更多操作`} button={<Icon name="more" />}>
        <MenuItem icon="pen" onClick={edit.open}>
          编辑
        </MenuItem>
        {essayCount < 2 ? null : (
          <MenuItem icon="toc" onClick={sort.open}>
            调整文章次序
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon="trash" onClick={remove}>
          删除
        </MenuItem>
      </Menu>
      {edit.dialog({
        column,
        onDone: () => {
          edit.close();
          toast('已保存');
          reload(id);
        },
      })}
      {sort.dialog({
        column,
        onDone: () => {
          sort.close();
          toast('次序已保存');
          reload(id);
        },
      })}
    </>
  );
}

const factsOf = ({ essayCount, followerCount, price }: Column): string[] => [
  `${essayCount} 篇`,
  `${formatCount(followerCount)} 人关注`,
  ...(price > 0 ? [formatPriceTag(price)] : []),
];

export function OwnColumns() {
  const query = useCallPages('GET core/essay/column');
  const reload = useReload();
  const create = useLazyDialog(loadColumnDialog);
  return (
    <section aria-labelledby="own-columns">
      <div className={styles.title}>
        <h2 id="own-columns">我的专栏</h2>
        <Button size="small" onClick={create.open}>
          <Icon name="plus" small />
          新建专栏
        </Button>
      </div>
      <InfiniteList
        label="我的专栏"
        // Without an id, the call answers with a page.
        query={query as UseInfiniteQueryResult<InfiniteData<Page<Column>>>}
        renderItem={(column) => (
          <ColumnRow column={column} facts={factsOf(column)} action={<RowMenu column={column} />} />
        )}
        skeleton={<ColumnRowSkeletons />}
        empty={
          <EmptyList
            level="h3"
            title="还没有自己的专栏"
            text="把同一个主题的文章放进一个专栏，读者可以按次序读、关注，或一次买下。"
          />
        }
      />
      {create.dialog({
        column: null,
        onDone: ({ name }) => {
          create.close();
          toast(`已新建「${name}」`);
          reload();
        },
      })}
    </section>
  );
}
