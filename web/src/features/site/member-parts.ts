/** What every page of a signed-in reader has, in one chunk. */
export { AccountMenu } from '#web/features/account/account-menu.tsx';
export { NoticeBell } from '#web/features/notices/notice-bell.tsx';
export { DraftsMenu } from '#web/features/own-essays/drafts-menu.tsx';
export { BackgroundServices } from './background-services.tsx';
