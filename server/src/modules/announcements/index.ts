export { listCurrent as listCurrentAnnouncements } from './actions.ts';
export { jobs } from './jobs.ts';
export { routes } from './routes.ts';
export { toShownAnnouncement } from './views.ts';
