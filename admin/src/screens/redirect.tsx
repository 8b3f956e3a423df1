import type { MissingPath, Redirect } from '@mozhan/contract/redirects.ts';
import { Button, Tag } from 'antd';
import { useState } from 'react';
import { ExportAllButton } from '#admin/features/redirect/export-button.tsx';
import { ImportForm } from '#admin/features/redirect/import-form.tsx';
import { useLocation } from '#admin/lib/navigation.tsx';
import { useAction } from '#admin/lib/queries.ts';
import { Can } from '#admin/ui/can.tsx';
import { ago, figure, line, time } from '#admin/ui/columns.tsx';
import { useConfirm } from '#admin/ui/confirm.ts';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { rowForm } from '#admin/ui/row-form.tsx';
import { TruncatedLink, TruncatedText } from '#admin/ui/truncated-text.tsx';

const tabs = [
  { key: 'rule', label: '跳转规则', to: '/redirect' },
  { key: 'missing', label: '找不到的网址', to: '/redirect?tab=missing' },
];

const PATH_HELP = '本站的路径，可以带参数，如 /2019/hello/ 或 /?p=12；末尾的斜杠不分有无';
const TARGET_HELP = '本站的路径（以 / 开头），或 http(s) 开头的完整网址；填文章的网址时，会跟着文章走';

const targetField = {
  name: 'target',
  kind: 'text',
  label: '新网址',
  required: true,
  maxLength: 1000,
  placeholder: '/essay/detail/….html',
  help: TARGET_HELP,
} as const;

const originOf = ({ transferId }: Redirect): string => (transferId === null ? '' : '导入');

function Target({ row: { target, essay } }: { row: Redirect }) {
  if (essay === null && !target.startsWith('/')) return <TruncatedText text={target} />;
  if (essay === null) return <TruncatedLink text={target} to={target} />;
  if (essay.removed) return <Tag color="error">文章已删除</Tag>;
  return <TruncatedLink text={essay.title} to={target} />;
}

function Rules() {
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      <ResourceScreen
        name="redirect"
        title="旧网址跳转"
        noun="跳转"
        unit="条"
        intro="找不到页面时，按这里的规则跳到新的网址（301）；能打开的页面不受影响"
        actions={
          <>
            <ExportAllButton />
            <Can permission="redirect:create">
              <Button onClick={() => setImporting(true)}>导入</Button>
            </Can>
          </>
        }
        list={paged('GET core/sys/redirect/')}
        columns={[
          line('path', '旧网址'),
          {
            key: 'target',
            title: '跳到',
            text: ({ target }) => target,
            show: (row) => <Target row={row} />,
          },
          figure('hits', '访问', { sort: true }),
          ago('lastHitAt', '最近访问', { sort: true }),
          { key: 'origin', title: '来源', text: originOf, hidden: true },
          time('createdAt', '建立时间', { sort: true }),
        ]}
        keyword="搜索新旧网址"
        keywordMax={200}
        form={{
          values: (row) => ({ path: row?.path ?? '', target: row?.target ?? '' }),
          fields: [
            {
              name: 'path',
              kind: 'text',
              label: '旧网址',
              required: true,
              maxLength: 1000,
              placeholder: '/2019/hello/',
              help: PATH_HELP,
            },
            targetField,
          ],
          onlyChanges: true,
        }}
        create={{
          permission: 'redirect:create',
          label: '添加跳转',
          run: (api, values) => api('POST core/sys/redirect/', values),
          done: ({ path }) => `已添加「${path}」的跳转`,
        }}
        update={{
          permission: 'redirect:update',
          run: (api, { id, path, target }) => api('PUT core/sys/redirect/', { id, path, target }),
        }}
        remove={{
          permission: 'redirect:remove',
          run: (api, { id }) => api('DELETE core/sys/redirect/', { id }),
          text: '从这个旧网址来的人会看到「没有这一页」。',
          bulkText: '从这些旧网址来的人会看到「没有这一页」。',
        }}
      >
        <LinkTabs label="内容" tabs={tabs} selected="rule" />
      </ResourceScreen>
      <ImportForm open={isImporting} onClose={() => setImporting(false)} />
    </>
  );
}

const redirectForm = rowForm({
  title: ({ path }: MissingPath) => `「${path}」跳到哪里`,
  action: '添加跳转',
  values: { target: '' },
  fields: [targetField],
  run: (api, { path }, { target }) => api('POST core/sys/redirect/', { path, target }),
  done: ({ path }) => `已添加「${path}」的跳转`,
});

function ClearButton() {
  const act = useAction();
  const confirm = useConfirm();
  async function clear(): Promise<void> {
    const question = { title: '清空找不到的网址？', text: '以后再有人访问，会重新列出。', action: '清空' };
    if (await confirm({ ...question, danger: true }))
      await act((api) => api('DELETE core/sys/redirect/missing', { all: true }), '已清空');
  }
  return (
    <Can permission="redirect:remove">
      <Button onClick={() => void clear()}>清空</Button>
    </Can>
  );
}

const Missing = () => (
  <ResourceScreen
    name="missing"
    title="旧网址跳转"
    noun="找不到的网址"
    intro="有人访问了两次以上、却没有页面的网址；最多留下最近的 5000 个"
    actions={<ClearButton />}
    list={paged('GET core/sys/redirect/missing')}
    columns={[
      line('path', '网址'),
      figure('hits', '访问', { sort: true }),
      ago('lastAt', '最近访问', { sort: true }),
      time('firstAt', '第一次访问'),
    ]}
    keyword="搜索网址"
    keywordMax={200}
    rowActions={[{ label: '设置跳转', permission: 'redirect:create', first: true, panel: redirectForm }]}
    remove={{
      permission: 'redirect:remove',
      run: (api, { id }) => api('DELETE core/sys/redirect/missing', { ids: [id] }),
      text: '以后再有人访问，会重新列出。',
      bulkText: '以后再有人访问，会重新列出。',
    }}
  >
    <LinkTabs label="内容" tabs={tabs} selected="missing" />
  </ResourceScreen>
);

export const Page = () => (useLocation().search.get('tab') === 'missing' ? <Missing /> : <Rules />);
