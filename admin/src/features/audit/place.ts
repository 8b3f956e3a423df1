import { type FilterName, inputOf, readTableState } from '#admin/lib/table-state.ts';

/** As much of the queue as anyone goes through at a time; every size of a page goes into it without a rest. */
const AHEAD = 100;

const filters: FilterName[] = [{ name: 'kind' }, { name: 'categoryId' }, { name: 'authorId' }];
const sorts = ['wordCount', 'submittedAt'];

/** The address of an essay of the queue, or of the queue: search, filters, order and page stay. */
export function placeOf(search: URLSearchParams, id?: string): string {
  const to = new URLSearchParams(search);
  if (id === undefined) to.delete('id');
  else to.set('id', id);
  return to.size === 0 ? '/audit' : `/audit?${to}`;
}

/** The stretch of the queue around the page that one came from. */
export function stretchOf(search: URLSearchParams) {
  const state = readTableState(search, filters);
  return {
    ...inputOf(state, sorts.includes(state.sort)),
    page: Math.floor(((state.page - 1) * state.pageSize) / AHEAD) + 1,
    pageSize: AHEAD,
  };
}
