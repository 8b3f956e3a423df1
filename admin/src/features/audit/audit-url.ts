import { type FilterParameter, readTableState, toCallInput } from '#admin/lib/table-state.ts';

/** A multiple of every page size, so that a page never spans two of these. */
const NEIGHBOUR_PAGE_SIZE = 100;

const filters: FilterParameter[] = [{ name: 'kind' }, { name: 'categoryId' }, { name: 'authorId' }];
const sorts = ['wordCount', 'submittedAt'];

/** URL of an essay in the queue, or of the queue itself; keeps search, filters, order and page. */
export function auditUrl(search: URLSearchParams, id?: string): string {
  const to = new URLSearchParams(search);
  if (id === undefined) to.delete('id');
  else to.set('id', id);
  return to.size === 0 ? '/audit' : `/audit?${to}`;
}

/** Input for the part of the queue that contains the page the auditor came from. */
export function surroundingPageInput(search: URLSearchParams) {
  const state = readTableState(search, filters);
  return {
    ...toCallInput(state, sorts.includes(state.sort)),
    page: Math.floor(((state.page - 1) * state.pageSize) / NEIGHBOUR_PAGE_SIZE) + 1,
    pageSize: NEIGHBOUR_PAGE_SIZE,
  };
}
