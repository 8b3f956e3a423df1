import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';
import { Tag } from 'antd';

const levels: Record<WordLevel, { label: string; color: string; effect: string }> = {
  refuse: { label: '拒绝', color: 'error', effect: '不能发布，作者会看到是哪个词' },
  hold: { label: '待审', color: 'warning', effect: '先留下，由工作人员看过再定' },
  mask: { label: '打码', color: 'processing', effect: '照常发布，词被遮住' },
};

export const levelText = (level: WordLevel): string => levels[level].label;
export const levelEffect = (level: WordLevel): string => levels[level].effect;

const all = Object.entries(levels);
export const levelOptions = all.map(([value, { label }]) => ({ value, label }));
/** With what they do. */
export const levelChoices = all.map(([value, { label, effect }]) => ({
  value,
  label: `${label}：${effect}`,
}));

export function LevelTag({ level }: { level: WordLevel }) {
  return (
    <Tag variant="filled" color={levels[level].color}>
      {levels[level].label}
    </Tag>
  );
}
