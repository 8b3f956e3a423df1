import type { UserCard } from '@mozhan/contract/users.ts';
import { useApp } from '#admin/lib/app-context.ts';
import { Person } from './person.tsx';

/** A user linked to their home page; a dash for a deleted user. */
export function PersonLink({ user }: { user: UserCard | null }) {
  const { basePath } = useApp();
  if (user === null) return '-';
  return (
    <a href={`${basePath}/user/home/${user.id}.html`} target="_blank" rel="noopener">
      <Person name={user.displayName} headImg={user.headImg} />
    </a>
  );
}
