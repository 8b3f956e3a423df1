import type { Input, Output, ReadRoute } from '@mozhan/contract/client.ts';
import type { ListOf, PagedRoute, RowOf } from '#admin/lib/paged.ts';

/** The read call that a table shows; the contract gives the types of its rows T and its answer A. */
export interface List<T, A> {
  route: ReadRoute;
  input: Record<string, unknown>;
  /** Search, filters, sorting and pages are done by the server; otherwise in the browser, on a single page. */
  isPaged: boolean;
  rowsOf: (answer: A) => readonly T[];
}

/** A list that the server pages. */
export const paged = <R extends PagedRoute>(route: R): List<RowOf<R>, ListOf<R>> => ({
  route,
  input: {},
  isPaged: true,
  rowsOf: ({ list }) => list,
});

/** Some calls also return a single row, when asked by id. */
type RowIn<A> = Extract<A, readonly unknown[]>[number];

/** A call that returns the whole list. */
export function whole<R extends ReadRoute>(route: R, input?: Input<R>): List<RowIn<Output<R>>, Output<R>> {
  return wholeIn(route, (answer) => (Array.isArray(answer) ? answer : []), input);
}

/** A whole list that is a part of the answer, or computed from it. */
export const wholeIn = <R extends ReadRoute, T>(
  route: R,
  rowsOf: (answer: Output<R>) => readonly T[],
  input: Input<R> = {} as Input<R>,
): List<T, Output<R>> => ({ route, input: input as Record<string, unknown>, isPaged: false, rowsOf });
