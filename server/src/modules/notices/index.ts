export {
  forgetNotices,
  holdBoxes,
  notify,
  pushUnread,
  readAbout,
  updateExcerpts,
  wasTold,
} from './actions.ts';
export { endDigest, releaseNotices } from './queries.ts';
export { routes } from './routes.ts';
export type { NewNotice } from './rules.ts';
