import { SORT_ORDER, type SortOrder } from '@mozhan/contract/enums.ts';
import { useApp } from './app-context.ts';
import { useLocation } from './navigation.tsx';

/** State of a table; it is stored in the URL, so that reloads and shared links restore it. */
export interface TableState {
  page: number;
  pageSize: number;
  keyword: string;
  sort: string;
  order: SortOrder;
  filters: Record<string, string>;
}

export const toSortOrder = (order: 'ascend' | 'descend' | null | undefined): SortOrder =>
  order === 'descend' ? SORT_ORDER.descending : SORT_ORDER.ascending;

export interface FilterParameter {
  name: string;
  initial?: string;
}

export const PAGE_SIZES = [10, 20, 50, 100];
const DEFAULT_SIZE = 20;

const toNumber = (text: string | null, fallback: number): number => {
  const value = Number(text ?? Number.NaN);
  return Number.isInteger(value) && value > 0 ? value : fallback;
};

export function readTableState(search: URLSearchParams, filters: readonly FilterParameter[]): TableState {
  const size = toNumber(search.get('pageSize'), DEFAULT_SIZE);
  return {
    page: toNumber(search.get('page'), 1),
    pageSize: PAGE_SIZES.includes(size) ? size : DEFAULT_SIZE,
    keyword: search.get('keyword') ?? '',
    sort: search.get('sort') ?? '',
    order:
      search.get('order') === String(SORT_ORDER.descending) ? SORT_ORDER.descending : SORT_ORDER.ascending,
    filters: Object.fromEntries(
      filters
        .map(({ name, initial = '' }) => [name, search.get(name) ?? initial])
        .filter(([, value]) => value !== ''),
    ),
  };
}

const OWN_PARAMETERS = ['keyword', 'sort', 'order', 'page', 'pageSize'];

/** Writes only values that differ from the initial state; keeps unrelated parameters such as a tab. */
export function writeTableState(
  { page, pageSize, keyword, sort, order, filters }: TableState,
  known: readonly FilterParameter[],
  before = new URLSearchParams(),
): string {
  const search = new URLSearchParams(before);
  for (const name of [...OWN_PARAMETERS, ...known.map(({ name }) => name)]) search.delete(name);
  for (const { name, initial = '' } of known) {
    const value = filters[name] ?? '';
    if (value !== initial) search.set(name, value);
  }
  if (keyword !== '') search.set('keyword', keyword);
  if (sort !== '') {
    search.set('sort', sort);
    search.set('order', String(order));
  }
  if (page > 1) search.set('page', String(page));
  if (pageSize !== DEFAULT_SIZE) search.set('pageSize', String(pageSize));
  return search.size === 0 ? '' : `?${search}`;
}

export const toCallInput = ({ filters, keyword, sort, order }: TableState, isSorted: boolean) => ({
  ...filters,
  ...(keyword !== '' && { keyword }),
  ...(isSorted && { sort, order }),
});

/** Every change except of the page returns to the first page. */
export function useTableState(
  filters: readonly FilterParameter[],
): [state: TableState, change: (to: Partial<TableState>) => void] {
  const { router } = useApp();
  const { path, search } = useLocation();
  const state = readTableState(search, filters);
  const change = (to: Partial<TableState>) => {
    void router.navigate(path + writeTableState({ ...state, page: 1, ...to }, filters, search), {
      sameScreen: true,
    });
  };
  return [state, change];
}
