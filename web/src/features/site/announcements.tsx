import { use } from 'react';
import { siteQuery, useSite } from '#web/lib/queries.ts';
import { fetchedCode } from '#web/router/fetched-code.ts';
import type { LoadContext } from '#web/router/navigation.ts';
import { Optional } from '#web/ui/optional.tsx';

/** There are none most of the time. */
const bar = fetchedCode(() => import('./announcement-bar.tsx'));

export async function loadAnnouncements({ api, queryClient }: LoadContext): Promise<void> {
  const { announcements } = await queryClient.ensureQueryData(siteQuery(api));
  // A list is worth more than what stands above it: without a connection it is shown alone.
  if (announcements.length > 0) await bar().catch(() => {});
}

function Bar() {
  const { AnnouncementBar } = use(bar());
  return <AnnouncementBar />;
}

/** What the operator has to say to everyone, above a list. */
export const Announcements = () =>
  useSite().announcements.length > 0 ? (
    <Optional>
      <Bar />
    </Optional>
  ) : null;
