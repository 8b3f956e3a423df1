export { createReport, removeReportsByUsers } from './actions.ts';
