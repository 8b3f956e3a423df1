import { PlusOutlined } from '@ant-design/icons';
import type { Flag } from '@mozhan/contract/enums.ts';
import type { Word } from '@mozhan/contract/sensitive-words.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { TextExportButton } from '#admin/features/sensitive-word/export-button.tsx';
import { LevelButtons } from '#admin/features/sensitive-word/level-buttons.tsx';
import { LevelTag, levelOptions, levelText } from '#admin/features/sensitive-word/levels.tsx';
import { PasteForm } from '#admin/features/sensitive-word/paste-form.tsx';
import { TestDrawer } from '#admin/features/sensitive-word/test-drawer.tsx';
import { WordForm } from '#admin/features/sensitive-word/word-form.tsx';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { usePlace } from '#admin/lib/navigation.tsx';
import { useAct } from '#admin/lib/queries.ts';
import { readTableState } from '#admin/lib/table-state.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { BatchButtons } from '#admin/ui/batch-buttons.tsx';
import { Can } from '#admin/ui/can.tsx';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { enabledOptions, enabledText } from '#admin/ui/enabled-tag.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { enabledColumn } from '#admin/ui/row-columns.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

const filters: Filter[] = [
  { name: 'level', label: '级别', options: levelOptions },
  { name: 'enabled', label: '状态', options: enabledOptions },
];

/** What the table shows, as input of the call. */
function useShown(): Record<string, unknown> {
  const state = readTableState(usePlace().search, filters);
  return {
    ...state.filters,
    ...(state.keyword !== '' && { keyword: state.keyword }),
    ...(state.sort !== '' && { sort: state.sort, order: state.order }),
  };
}

export function Page() {
  const can = useCan();
  const act = useAct();
  const confirmRemove = useConfirmRemove();
  const shown = useShown();
  const [subject, setSubject] = useState<Word | 'new'>();
  const [open, setOpen] = useState<'paste' | 'test'>();
  const mayUpdate = can('word:update');
  const mayRemove = can('word:remove');

  const setEnabled = (row: Word, enabled: Flag) =>
    act(
      (api) => api('PUT core/sys/word/', { id: row.id, enabled }),
      `已${enabledText(enabled)}「${row.word}」`,
    );

  const columns: Column<Word>[] = [
    { key: 'word', title: '敏感词', text: (row) => row.word, sort: 'word' },
    {
      key: 'level',
      title: '级别',
      text: (row) => levelText(row.level),
      show: (row) => <LevelTag level={row.level} />,
    },
    { key: 'note', title: '备注', text: (row) => orDash(row.note) },
    { key: 'createdAt', title: '添加时间', text: (row) => formatDateTime(row.createdAt), sort: 'createdAt' },
    enabledColumn({ nameOf: (row) => row.word, mayUpdate, setEnabled }),
  ];

  return (
    <Screen
      title="敏感词"
      intro="文章、评论和昵称里的这些词会被拒绝、留待审核或打码；改动立即生效"
      actions={
        <>
          <Button onClick={() => setOpen('test')}>测试</Button>
          <TextExportButton filter={shown} />
          <Can permission="word:create">
            <Button onClick={() => setOpen('paste')}>批量添加</Button>
            <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setSubject('new')}>
              添加敏感词
            </Button>
          </Can>
        </>
      }
    >
      <DataTable
        name="word"
        title="敏感词"
        route="GET core/sys/word/"
        columns={columns}
        keyword="搜索敏感词或备注"
        filters={filters}
        actions={(row) => (
          <RowActions
            name={row.word}
            actions={[
              mayUpdate && { label: '编辑', onClick: () => setSubject(row) },
              mayRemove && {
                label: '删除',
                danger: true,
                onClick: () =>
                  void confirmRemove({
                    kind: '敏感词',
                    name: row.word,
                    work: (api) => api('DELETE core/sys/word/', { id: row.id }),
                  }),
              },
            ]}
          />
        )}
        batch={(rows, choose) => (
          <>
            {mayUpdate ? <LevelButtons rows={rows} choose={choose} /> : null}
            <BatchButtons
              kind="敏感词"
              rows={rows}
              choose={choose}
              nameOf={(row) => row.word}
              setEnabled={
                mayUpdate ? (api, { id }, enabled) => api('PUT core/sys/word/', { id, enabled }) : undefined
              }
              remove={mayRemove ? (api, { id }) => api('DELETE core/sys/word/', { id }) : undefined}
            />
          </>
        )}
      />
      <WordForm subject={subject} onClose={() => setSubject(undefined)} />
      <PasteForm open={open === 'paste'} onClose={() => setOpen(undefined)} />
      <TestDrawer open={open === 'test'} onClose={() => setOpen(undefined)} />
    </Screen>
  );
}
