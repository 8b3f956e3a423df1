import type { AnnouncementLevel } from '@mozhan/contract/announcements.ts';
import { Tag } from 'antd';

export const levelNames: Record<AnnouncementLevel, string> = { info: '一般', important: '重要' };
export const levelOptions = Object.entries(levelNames).map(([value, label]) => ({ value, label }));

export const LevelTag = ({ level }: { level: AnnouncementLevel }) => (
  <Tag color={level === 'important' ? 'error' : 'default'}>{levelNames[level]}</Tag>
);
