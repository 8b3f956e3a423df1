import type { Input, Output, ReadRoute } from '@mozhan/contract/client.ts';
import type { ListOf, PagedRoute, RowOf } from '#admin/lib/paged.ts';

/** Where the rows of a table come from: a call of the contract, which gives them their type. */
export interface List<T, A> {
  route: ReadRoute;
  input: Record<string, unknown>;
  /** The server searches, filters, sorts and pages; otherwise the browser does, but for pages. */
  isPaged: boolean;
  rowsOf: (answer: A) => readonly T[];
}

/** A list that comes page by page. */
export const paged = <R extends PagedRoute>(route: R): List<RowOf<R>, ListOf<R>> => ({
  route,
  input: {},
  isPaged: true,
  rowsOf: ({ list }) => list,
});

/** Some calls answer with one row as well, when they are asked for it. */
type RowIn<A> = Extract<A, readonly unknown[]>[number];

/** A list that comes whole. */
export function whole<R extends ReadRoute>(route: R, input?: Input<R>): List<RowIn<Output<R>>, Output<R>> {
  return wholeIn(route, (answer) => (Array.isArray(answer) ? answer : []), input);
}

/** A list that is a part of an answer, or made of it. */
export const wholeIn = <R extends ReadRoute, T>(
  route: R,
  rowsOf: (answer: Output<R>) => readonly T[],
  input: Input<R> = {} as Input<R>,
): List<T, Output<R>> => ({ route, input: input as Record<string, unknown>, isPaged: false, rowsOf });
