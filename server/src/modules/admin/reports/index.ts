export { releaseReports, reportSomething } from './actions.ts';
