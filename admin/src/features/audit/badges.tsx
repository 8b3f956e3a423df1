import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { Space, Tag } from 'antd';

/** Labels that warn the auditor: revision, appeal, sensitive words. */
export const badgesOf = ({ revision, appeal, words }: StaffEssay): string[] => [
  ...(revision === null ? [] : ['修订']),
  ...(appeal ? ['申诉'] : []),
  ...(words.length === 0 ? [] : [`敏感词 ${words.length}`]),
];

const colours: Record<string, string> = { 修订: 'processing', 申诉: 'warning' };

export function Badges({ essay }: { essay: StaffEssay }) {
  const badges = badgesOf(essay);
  if (badges.length === 0) return null;
  return (
    <Space size={4}>
      {badges.map((badge) => (
        <Tag key={badge} variant="filled" color={colours[badge] ?? 'error'}>
          {badge}
        </Tag>
      ))}
    </Space>
  );
}
