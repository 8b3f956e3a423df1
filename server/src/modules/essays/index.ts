export {
  type BroughtEssay,
  prepareBroughtEssay,
  takeBackEssay,
  whyKept,
} from './actions/bring-in.ts';
export { createColumn, removeAnyColumn } from './actions/columns.ts';
export { getReadable, toCards } from './actions/read.ts';
export { countRead, isRobot, readerOf } from './actions/reads.ts';
export { createEssay } from './actions/save.ts';
export { changeStatus, removeEssaysOf, withdrawEssays } from './actions/status.ts';
export { jobs, schedule } from './jobs.ts';
export { addToEssays } from './queries/counters.ts';
export { listEssayIdsOf, noEssay } from './queries/essays.ts';
export { listCardsByIds } from './queries/lists.ts';
export { hasPurchase, insertPurchase, removePurchase, removePurchasesOf } from './queries/purchases.ts';
export { upsertHistory } from './queries/reads.ts';
export { routes } from './routes.ts';
export { canReadAll } from './rules.ts';
export { atBase } from './views.ts';
