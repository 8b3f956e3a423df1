import type { Star, StarPick } from '@mozhan/contract/code-stars.ts';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { PersonLink } from '#admin/ui/person-link.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

/** Rows are known by their person. */
export type StarRow = Star & { id: string };
export type PickRow = StarPick & { id: string };

const person = { key: 'user', title: '作者' };
const figure = (
  key: 'score' | 'reads' | 'likes' | 'collects' | 'rewards',
  title: string,
): Column<StarRow> => ({
  key,
  title,
  align: 'end',
  text: (row) => String(row[key]),
  show: (row) => row[key].toLocaleString('zh-CN'),
  by: (row) => row[key],
});

export const starColumns: Column<StarRow>[] = [
  { key: 'rank', title: '名次', text: (row) => String(row.rank), by: (row) => row.rank, width: 80 },
  { ...person, text: (row) => row.user.displayName, show: (row) => <PersonLink user={row.user} /> },
  figure('score', '得分'),
  figure('reads', '阅读'),
  figure('likes', '点赞'),
  figure('collects', '收藏'),
  figure('rewards', '打赏'),
];

export const pickColumns: Column<PickRow>[] = [
  { ...person, text: (row) => row.user.displayName, show: (row) => <PersonLink user={row.user} /> },
  { key: 'note', title: '推荐语', text: (row) => orDash(row.note) },
  {
    key: 'pickedAt',
    title: '推荐时间',
    text: (row) => formatDateTime(row.pickedAt),
    show: (row) => <TimeAgo at={row.pickedAt} />,
  },
];
