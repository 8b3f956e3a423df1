export { createColumn } from './actions/columns.ts';
export { getReadable } from './actions/read.ts';
export { readerOf } from './actions/reads.ts';
export { createEssay } from './actions/save.ts';
export { changeStatus, removeEssaysOf } from './actions/status.ts';
export { jobs, schedule } from './jobs.ts';
export { addToEssays } from './queries/counters.ts';
export { routes } from './routes.ts';
export { ON_SHELF } from './rules.ts';
