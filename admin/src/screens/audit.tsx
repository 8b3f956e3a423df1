import { AuditDesk } from '#admin/features/audit/desk.tsx';
import { AuditQueue } from '#admin/features/audit/queue.tsx';
import { useLocation } from '#admin/lib/navigation.tsx';

/** The queue, or one essay when the URL contains an id. */
export function Page() {
  const id = useLocation().search.get('id');
  return id === null ? <AuditQueue /> : <AuditDesk key={id} id={id} />;
}
