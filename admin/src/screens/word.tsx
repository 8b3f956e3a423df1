import { FLAG } from '@mozhan/contract/enums.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { TextExportButton } from '#admin/features/sensitive-word/export-button.tsx';
import { LevelButtons } from '#admin/features/sensitive-word/level-buttons.tsx';
import { levelChoices, levels } from '#admin/features/sensitive-word/levels.ts';
import { PasteForm } from '#admin/features/sensitive-word/paste-form.tsx';
import { TestDrawer } from '#admin/features/sensitive-word/test-drawer.tsx';
import { useLocation } from '#admin/lib/navigation.tsx';
import { readTableState, toCallInput } from '#admin/lib/table-state.ts';
import { Can } from '#admin/ui/can.tsx';
import { tag, text, time } from '#admin/ui/columns.tsx';
import { enabledFilter } from '#admin/ui/filters.tsx';
import { optionsOf } from '#admin/ui/labels.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';

const filters = [{ name: 'level', label: '级别', options: optionsOf(levels) }, enabledFilter];

export function Page() {
  const [open, setOpen] = useState<'paste' | 'test'>();
  const state = readTableState(useLocation().search, filters);
  return (
    <>
      <ResourceScreen
        name="word"
        title="敏感词"
        intro="文章、评论和昵称里的这些词会被拒绝、留待审核或打码；改动立即生效"
        actions={
          <>
            <Button onClick={() => setOpen('test')}>测试</Button>
            <TextExportButton filter={toCallInput(state, state.sort !== '')} />
            <Can permission="word:create">
              <Button onClick={() => setOpen('paste')}>批量添加</Button>
            </Can>
          </>
        }
        list={paged('GET core/sys/word/')}
        columns={[
          text('word', '敏感词', { sort: true }),
          tag('level', '级别', levels),
          text('note', '备注'),
          time('createdAt', '添加时间', { sort: true }),
          'enabled',
        ]}
        keyword="搜索敏感词或备注"
        filters={filters}
        form={{
          values: (row) => ({
            word: row?.word ?? '',
            level: row?.level ?? 'hold',
            note: row?.note ?? '',
            enabled: row?.enabled ?? FLAG.on,
          }),
          fields: [
            {
              name: 'word',
              kind: 'text',
              label: '敏感词',
              required: true,
              maxLength: 50,
              help: '大小写、全半角、繁简不分；中文词之间夹的空格、标点也找得到，英文按整词',
            },
            { name: 'level', kind: 'choice', label: '级别', options: levelChoices },
            { name: 'note', kind: 'text', label: '备注', maxLength: 100 },
            { name: 'enabled', kind: 'flag', label: '启用' },
          ],
          codes: { WORD_TAKEN: 'word' },
        }}
        create={{
          permission: 'word:create',
          label: '添加敏感词',
          run: (api, values) => api('POST core/sys/word/', values),
          done: ({ word }) => `已添加「${word}」`,
        }}
        update={{ permission: 'word:update', run: (api, change) => api('PUT core/sys/word/', change) }}
        remove={{
          permission: 'word:remove',
          run: (api, { id }) => api('DELETE core/sys/word/', { id }),
        }}
        bulkButtons={(rows, selectRows) => (
          <Can permission="word:update">
            <LevelButtons rows={rows} selectRows={selectRows} />
          </Can>
        )}
      />
      <PasteForm open={open === 'paste'} onClose={() => setOpen(undefined)} />
      <TestDrawer open={open === 'test'} onClose={() => setOpen(undefined)} />
    </>
  );
}
