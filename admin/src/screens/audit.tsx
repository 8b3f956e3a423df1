import { AuditDesk } from '#admin/features/audit/desk.tsx';
import { AuditQueue } from '#admin/features/audit/queue.tsx';
import { usePlace } from '#admin/lib/navigation.tsx';

/** The queue; with an id in the address, one essay of it. */
export function Page() {
  const id = usePlace().search.get('id');
  return id === null ? <AuditQueue /> : <AuditDesk key={id} id={id} />;
}
