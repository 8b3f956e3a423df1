import type { Input, Output, ReadRoute } from '@mozhan/contract/client.ts';
import type { ListOf, PagedRoute, RowOf } from '#admin/lib/paged.ts';

/** The read call of a table; the contract defines its row type T and its response type A. */
export interface List<T, A> {
  route: ReadRoute;
  input: Record<string, unknown>;
  /** Search, filters, sorting and pages are done by the server; otherwise in the browser, on a single page. */
  isPaged: boolean;
  rowsOf: (answer: A) => readonly T[];
}

/** A list that the server filters, sorts and pages. */
export const paged = <R extends PagedRoute>(
  route: R,
  input: Partial<Input<R>> = {},
): List<RowOf<R>, ListOf<R>> => ({
  route,
  input,
  isPaged: true,
  rowsOf: ({ list }) => list,
});

/** Some calls also return a single row when given an id. */
type RowIn<A> = Extract<A, readonly unknown[]>[number];

/** A call that returns all rows as an array. */
export function unpaged<R extends ReadRoute>(route: R, input?: Input<R>): List<RowIn<Output<R>>, Output<R>> {
  return unpagedFrom(route, (answer) => (Array.isArray(answer) ? answer : []), input);
}

/** An unpaged list that is part of the response or computed from it. */
export const unpagedFrom = <R extends ReadRoute, T>(
  route: R,
  rowsOf: (answer: Output<R>) => readonly T[],
  input: Input<R> = {} as Input<R>,
): List<T, Output<R>> => ({ route, input: input as Record<string, unknown>, isPaged: false, rowsOf });
