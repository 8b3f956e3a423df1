import type { UserCard } from '@mozhan/contract/users.ts';
import { useApp } from '#admin/lib/app-context.ts';
import { Person } from './person.tsx';

/** Somebody, leading to their home on the site; whoever is gone is a dash. */
export function PersonLink({ user }: { user: UserCard | null }) {
  const { basePath } = useApp();
  if (user === null) return '-';
  return (
    <a href={`${basePath}/user/home/${user.id}.html`} target="_blank" rel="noopener">
      <Person name={user.displayName} headImg={user.headImg} />
    </a>
  );
}
