export { collectEssay, purgeCollections } from './actions/collect.ts';
export { followColumn, purgeColumnFollows } from './actions/column-follows.ts';
export { createColumn, removeColumnAsStaff } from './actions/columns.ts';
export { createFolder } from './actions/folders.ts';
export {
  findShelvedTexts,
  lockOwnHighlight,
  purgeHighlights,
} from './actions/highlights.ts';
export { queueRanking } from './actions/hot.ts';
export {
  type ImportedEssay,
  prepareImportedEssay,
  undoDenialReason,
  undoImportedEssay,
} from './actions/import-essay.ts';
export {
  type ImportedContent,
  prepareImportedContent,
  restoreWithdrawn,
  type Withdrawn,
  withdrawImported,
} from './actions/imported-content.ts';
export { purgeLikes, writeLikes } from './actions/likes.ts';
export type { ImportedPins } from './actions/pins.ts';
export { getReadableEssay, toCards } from './actions/read.ts';
export { countRead, isRobot, readerKeyOf } from './actions/reads.ts';
export { createEssay } from './actions/save.ts';
export { planSlugs } from './actions/slugs.ts';
export { changeStatus, removeEssaysOf } from './actions/status.ts';
export { linkThought, unlinkThought, updateThought } from './actions/thoughts.ts';
export { addToEssayCounters } from './queries/counters.ts';
export { listDrawings } from './queries/drawings.ts';
export { listEssayIdsOf } from './queries/essays.ts';
export { findPassages, listThoughtIds } from './queries/highlights.ts';
export { listCardsByIds } from './queries/lists.ts';
export { hasPurchase, insertPurchase, removePurchase, removePurchasesOf } from './queries/purchases.ts';
export { upsertHistory } from './queries/reads.ts';
export { resolveTagAliases } from './queries/tags.ts';
export { canReadAll, columnPathOf, essayNotFound, essayPathOf } from './rules/essays.ts';
export { sharedWords } from './rules/highlights.ts';
export { withBasePath } from './views/essays.ts';
