import { PlusOutlined } from '@ant-design/icons';
import type { Star, StarPick, StarRange } from '@mozhan/contract/code-stars.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { PickForm } from '#admin/features/code-star/pick-form.tsx';
import { useLocation } from '#admin/lib/navigation.tsx';
import { ago, figure, person, text } from '#admin/ui/columns.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { unpagedFrom } from '#admin/ui/lists.ts';
import { ResourceTable } from '#admin/ui/resource-screen.tsx';
import { Screen } from '#admin/ui/screen.tsx';

type Tab = 'pick' | StarRange;
const tabs: { key: Tab; label: string; to: string }[] = [
  { key: 'pick', label: '编辑推荐', to: '/star' },
  { key: 'week', label: '近 7 天', to: '/star?range=week' },
  { key: 'month', label: '近 30 天', to: '/star?range=month' },
  { key: 'all', label: '全部时间', to: '/star?range=all' },
];
const MAX_STARS = 100;

/** Rows are identified by their user. */
const withId = <T extends Star | StarPick>(row: T) => ({ ...row, id: row.user.id });

const Picks = () => (
  <ResourceTable
    name="star-pick"
    noun="推荐作者"
    list={unpagedFrom('GET core/code/star/', ({ picks }) => picks.map(withId), {
      range: 'week',
      limit: MAX_STARS,
    })}
    columns={[person('user', '作者'), text('note', '推荐语'), ago('pickedAt', '推荐时间'), 'order']}
    keyword="搜索作者或推荐语"
    update={{
      permission: 'star:update',
      run: (api, { id, sort }) => api('PUT core/code/star/', { userId: id, picked: FLAG.on, sort }),
    }}
    rowActions={[
      {
        label: '编辑',
        panel: ({ subject, onClose }) => (
          <PickForm open={subject !== undefined} pick={subject} onClose={onClose} />
        ),
      },
      {
        label: '取消推荐',
        danger: true,
        ask: ({ user }) => ({ title: `不再推荐「${user.displayName}」？` }),
        run: (api, { id }) => api('PUT core/code/star/', { userId: id, picked: FLAG.off }),
        bulk: { ask: ({ length }) => ({ title: `不再推荐这 ${length} 位作者？` }) },
      },
    ]}
  />
);

const Stars = ({ range }: { range: StarRange }) => (
  <ResourceTable
    name="star"
    noun="上榜的作者"
    list={unpagedFrom('GET core/code/star/', ({ list }) => list.map(withId), { range, limit: MAX_STARS })}
    nameOf={({ user }) => user.displayName}
    columns={[
      { key: 'rank', title: '名次', text: (row) => String(row.rank), by: (row) => row.rank, width: 80 },
      person('user', '作者'),
      figure('score', '得分'),
      figure('reads', '阅读'),
      figure('likes', '点赞'),
      figure('collects', '收藏'),
      figure('rewards', '打赏'),
    ]}
    keyword="搜索作者"
    rowActions={[
      {
        label: '推荐',
        when: ({ id }, { picks }) => !picks.some(({ user }) => user.id === id),
        panel: ({ subject, onClose }) => (
          <PickForm open={subject !== undefined} pick={subject} onClose={onClose} />
        ),
      },
    ]}
  />
);

export function Page() {
  const requested = useLocation().search.get('range');
  const tab = tabs.find(({ key }) => key === requested)?.key ?? 'pick';
  const [isOpen, setOpen] = useState(false);
  return (
    <Screen
      title="码星"
      intro="作者的排名每 10 分钟算一次；编辑推荐的作者最多 20 位，显示在排名旁"
      actions={
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setOpen(true)}>
          推荐作者
        </Button>
      }
    >
      <LinkTabs label="榜单" tabs={tabs} selected={tab} />
      {tab === 'pick' ? <Picks /> : <Stars key={tab} range={tab} />}
      <PickForm open={isOpen} onClose={() => setOpen(false)} />
    </Screen>
  );
}
