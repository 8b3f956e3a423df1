import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { Tag } from 'antd';

export const enabledText = (enabled: Flag): string => (enabled === FLAG.on ? '启用' : '停用');

export function EnabledTag({ enabled }: { enabled: Flag }) {
  return (
    <Tag variant="filled" color={enabled === FLAG.on ? 'success' : 'default'}>
      {enabledText(enabled)}
    </Tag>
  );
}

export const enabledOptions = [
  { value: String(FLAG.on), label: '启用' },
  { value: String(FLAG.off), label: '停用' },
];
