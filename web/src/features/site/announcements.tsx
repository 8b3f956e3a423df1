import { use } from 'react';
import { siteQuery, useSite } from '#web/lib/queries.ts';
import { cachedImport } from '#web/router/cached-import.ts';
import type { LoadContext } from '#web/router/navigation.ts';
import { Optional } from '#web/ui/optional.tsx';

/** Loaded on demand, as there are no announcements most of the time. */
const fetchBar = cachedImport(() => import('./announcement-bar.tsx'));

export async function loadAnnouncements({ api, queryClient }: LoadContext): Promise<void> {
  const { announcements } = await queryClient.ensureQueryData(siteQuery(api));
  // When loading fails, the page is displayed without announcements.
  if (announcements.length > 0) await fetchBar().catch(() => {});
}

function FetchedBar() {
  const { AnnouncementBar } = use(fetchBar());
  return <AnnouncementBar />;
}

export const Announcements = () =>
  useSite().announcements.length > 0 ? (
    <Optional>
      <FetchedBar />
    </Optional>
  ) : null;
