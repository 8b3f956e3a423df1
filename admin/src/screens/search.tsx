import { Button } from 'antd';
import { useState } from 'react';
import { ReindexPanel } from '#admin/features/search/reindex-panel.tsx';
import { TermsForm } from '#admin/features/search/terms-form.tsx';
import { Can } from '#admin/ui/can.tsx';
import { text, time } from '#admin/ui/columns.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';

export function Page() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ResourceScreen
        name="search"
        title="站内搜索"
        noun="词"
        intro="自带几十万个常用词，这里添加它不认识的"
        actions={
          <Can permission="search:update">
            <Button type="primary" onClick={() => setOpen(true)}>
              添加词语
            </Button>
          </Can>
        }
        list={paged('GET core/sys/search/term')}
        columns={[text('word', '词'), time('createdAt', '添加时间')]}
        keyword="查找词典里的词"
        keywordMax={20}
        remove={{
          permission: 'search:update',
          run: (api, { id }) => api('DELETE core/sys/search/term', { id }),
          text: '搜索不再把它当作一个词；重建索引后，旧文章也不再按它编入。',
          bulkText: '搜索不再把它们当作一个词；重建索引后，旧文章也不再按它们编入。',
        }}
      >
        <ReindexPanel />
      </ResourceScreen>
      <TermsForm open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
