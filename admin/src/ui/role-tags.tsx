import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { Space, Tag } from 'antd';

export const RoleTags = ({ roles }: { roles: readonly { id: string; name: string; enabled: Flag }[] }) => (
  <Space size={4} wrap>
    {roles.map(({ id, name, enabled }) => (
      <Tag key={id} color={enabled === FLAG.on ? 'processing' : 'default'}>
        {enabled === FLAG.on ? name : `${name}（已停用）`}
      </Tag>
    ))}
  </Space>
);
