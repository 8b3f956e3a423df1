import type { UserOrGuestCard } from '@mozhan/contract/users.ts';
import { Flex, Tag } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { Person } from './person.tsx';

/** A user linked to their home page, a guest without a link; a dash for a deleted user. */
export function PersonLink({ user }: { user: UserOrGuestCard | null }) {
  const { basePath } = useApp();
  if (user === null) return '-';
  if (user.id === null)
    return (
      <Flex align="center" gap={4}>
        <Person name={user.displayName} headImg="" />
        <Tag>访客</Tag>
      </Flex>
    );
  return (
    <a href={`${basePath}/user/home/${user.id}.html`} target="_blank" rel="noopener">
      <Person name={user.displayName} headImg={user.headImg} />
    </a>
  );
}
