import { Tag } from 'antd';

export const enabledText = (enabled: 0 | 1): string => (enabled === 1 ? '启用' : '停用');

export function EnabledTag({ enabled }: { enabled: 0 | 1 }) {
  return (
    <Tag variant="filled" color={enabled === 1 ? 'success' : 'default'}>
      {enabledText(enabled)}
    </Tag>
  );
}

export const enabledOptions = [
  { value: '1', label: '启用' },
  { value: '0', label: '停用' },
];
