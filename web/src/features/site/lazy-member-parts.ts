import { lazyComponent } from '#web/lib/lazy-component.ts';

const load = () => import('./member-parts.ts');

export const AccountMenu = lazyComponent(load, 'AccountMenu');
export const BackgroundServices = lazyComponent(load, 'BackgroundServices');
export const DraftsMenu = lazyComponent(load, 'DraftsMenu');
export const NoticeBell = lazyComponent(load, 'NoticeBell');

/** With these, a page of a signed-in reader is complete at once. Without a connection it is shown without them. */
export async function preloadMemberParts(): Promise<void> {
  const parts = [AccountMenu, BackgroundServices, DraftsMenu, NoticeBell];
  await Promise.all(parts.map(({ preload }) => preload())).catch(() => {});
}
