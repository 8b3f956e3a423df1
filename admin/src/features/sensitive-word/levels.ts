import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';

export const levels: Record<WordLevel, { label: string; color: string; effect: string }> = {
  refuse: { label: '拒绝', color: 'error', effect: '不能发布，作者会看到是哪个词' },
  hold: { label: '待审', color: 'warning', effect: '先留下，由工作人员看过再定' },
  mask: { label: '打码', color: 'processing', effect: '照常发布，词被遮住' },
};

export const levelChoices = Object.entries(levels).map(([value, { label, effect }]) => ({
  value,
  label: `${label}：${effect}`,
}));
