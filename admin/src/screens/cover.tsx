import { PlusOutlined } from '@ant-design/icons';
import type { Cover, CoverKind } from '@mozhan/contract/covers.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { useQuery } from '@tanstack/react-query';
import { Button, Modal } from 'antd';
import { useState } from 'react';
import styles from '#admin/features/cover/cover.module.css';
import { CoverForm } from '#admin/features/cover/cover-form.tsx';
import { CoverPreview, PictureButton } from '#admin/features/cover/cover-picture.tsx';
import { kindNames } from '#admin/features/cover/kinds.ts';
import { useApp } from '#admin/lib/app-context.ts';
import { orDash } from '#admin/lib/format.ts';
import { spanOf, stateOf } from '#admin/lib/moments.ts';
import { usePlace } from '#admin/lib/navigation.tsx';
import { moved } from '#admin/lib/order.ts';
import { call, useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { BatchButtons } from '#admin/ui/batch-buttons.tsx';
import { Can } from '#admin/ui/can.tsx';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { enabledText } from '#admin/ui/enabled-tag.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { enabledColumn, sortColumn } from '#admin/ui/row-columns.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { enabledFilter, WholeTable } from '#admin/ui/whole-table.tsx';

const tabs = [
  { key: 'library', label: '封面库', to: '/cover' },
  { key: 'banner', label: '首页横幅', to: '/cover?kind=banner' },
];

const bannerColumns: Column<Cover>[] = [
  {
    key: 'link',
    title: '链接',
    text: (row) => orDash(row.link),
    show: (row) => <span className={styles.link}>{orDash(row.link)}</span>,
  },
  { key: 'span', title: '展示时间', text: spanOf },
  { key: 'state', title: '状态', text: (row) => stateOf(row, new Date()) },
];

const filters = [enabledFilter<Cover>()];
/** Which of the two it is stays in the address. */
const PLACE = ['kind'];

const goneText: Record<CoverKind, string> = {
  library: '已用它的文章不受影响。',
  banner: '首页立即不再展示。',
};

export function Page() {
  const { api } = useApp();
  const { search } = usePlace();
  const can = useCan();
  const act = useAct();
  const confirmRemove = useConfirmRemove();
  const kind: CoverKind = search.get('kind') === 'banner' ? 'banner' : 'library';
  const [subject, setSubject] = useState<Cover | 'new'>();
  const [seen, setSeen] = useState<Cover>();
  const { data: rows, error, isFetching, refetch } = useQuery(call(api, 'GET core/sys/cover/all', { kind }));
  const mayUpdate = can('cover:update');

  const setEnabled = (row: Cover, enabled: Flag) =>
    act(
      (api) => api('PUT core/sys/cover/', { id: row.id, enabled }),
      `已${enabledText(enabled)}「${row.title}」`,
    );

  const move = (row: Cover, by: -1 | 1) =>
    act(async (api) => {
      for (const change of moved(rows ?? [], row.id, by)) await api('PUT core/sys/cover/', change);
    }, '已调整顺序');

  const columns: Column<Cover>[] = [
    {
      key: 'image',
      title: '图片',
      text: (row) => row.image,
      by: null,
      show: (row) => <PictureButton title={row.title} image={row.image} onClick={() => setSeen(row)} />,
    },
    { key: 'title', title: '标题', text: (row) => row.title },
    ...(kind === 'banner' ? bannerColumns : []),
    sortColumn({ nameOf: (row) => row.title, mayUpdate, siblingsOf: () => rows, move }),
    enabledColumn({ nameOf: (row) => row.title, mayUpdate, setEnabled }),
  ];

  return (
    <Screen
      title="封面与横幅"
      intro={kind === 'library' ? '作者写文章时可以选用的封面' : '首页顶部的横幅，按这里的顺序轮播'}
      actions={
        <Can permission="cover:create">
          <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setSubject('new')}>
            添加{kindNames[kind]}
          </Button>
        </Can>
      }
    >
      <LinkTabs label="种类" tabs={tabs} selected={kind} />
      <WholeTable<Cover>
        key={kind}
        name={`cover-${kind}`}
        title={kindNames[kind]}
        keyword={kind === 'library' ? '搜索标题' : '搜索标题或链接'}
        filters={filters}
        place={PLACE}
        columns={columns}
        rows={rows}
        busy={isFetching}
        error={error}
        onRefresh={() => void refetch()}
        batch={(rows, choose) => (
          <BatchButtons
            kind={kindNames[kind]}
            rows={rows}
            choose={choose}
            nameOf={(row) => row.title}
            setEnabled={
              mayUpdate ? (api, { id }, enabled) => api('PUT core/sys/cover/', { id, enabled }) : undefined
            }
            remove={can('cover:remove') ? (api, { id }) => api('DELETE core/sys/cover/', { id }) : undefined}
            removeText={goneText[kind]}
          />
        )}
        actions={(row) => (
          <RowActions
            name={row.title}
            actions={[
              mayUpdate && { label: '编辑', onClick: () => setSubject(row) },
              can('cover:remove') && {
                label: '删除',
                danger: true,
                onClick: () =>
                  void confirmRemove({
                    kind: kindNames[kind],
                    name: row.title,
                    text: goneText[kind],
                    work: (api) => api('DELETE core/sys/cover/', { id: row.id }),
                  }),
              },
            ]}
          />
        )}
      />
      <CoverForm kind={kind} subject={subject} onClose={() => setSubject(undefined)} />
      <Modal
        title={seen?.title}
        open={seen !== undefined}
        onCancel={() => setSeen(undefined)}
        closable={{ 'aria-label': '关闭' }}
        footer={null}
        width={720}
      >
        {seen === undefined ? null : <CoverPreview {...seen} />}
      </Modal>
    </Screen>
  );
}
