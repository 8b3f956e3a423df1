export { releaseReports, reportSomething } from './actions.ts';
export { routes } from './routes.ts';
