import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { rowForm } from '#admin/ui/row-form.tsx';

/** Must equal `MAX_SITE_PINS`, whose file would bring the schemas into this bundle. */
const MAX_PINS = 5;

const positions = Array.from({ length: MAX_PINS }, (_, index) => ({
  value: String(index + 1),
  label: `第 ${index + 1} 位`,
}));

/** Pins an essay on the home page of the site, or moves it among the pinned ones. */
export const pinForm = rowForm({
  title: ({ title, pinned }: StaffEssay) =>
    pinned ? `调整「${title}」的置顶位置` : `在首页置顶「${title}」`,
  intro: () => <p>首页的「推荐」与「最新」和它所在的分类会先列出它，最多 {MAX_PINS} 篇。</p>,
  action: ({ pinned }) => (pinned ? '保存' : '置顶'),
  values: ({ pinPosition }: StaffEssay) => ({ position: String(pinPosition ?? 1) }),
  fields: [
    {
      name: 'position',
      kind: 'select',
      label: '位置',
      required: true,
      help: '后面的依次往后移',
      options: positions,
    },
  ],
  run: (api, { id }, { position }) =>
    api('PUT core/sys/essay/pin', { id, pinned: true, position: Number(position) }),
  done: ({ title, pinned }) => (pinned ? `已调整「${title}」的位置` : `已在首页置顶「${title}」`),
});
