/**
 * Values of numeric API fields and columns. Browsers load this file, so it must not import zod. Each enum is a
 * module of its own, so that the bundler inlines the numbers and removes the names.
 */
import * as APPLICATION_STATUS from './enums/application-status.ts';
import * as COMMENT_STATUS from './enums/comment-status.ts';
import * as ESSAY_STATUS from './enums/essay-status.ts';
import * as FLAG from './enums/flag.ts';
import * as IDENTITY from './enums/identity.ts';
import * as ORDER_STATUS from './enums/order-status.ts';
import * as REPORT_STATUS from './enums/report-status.ts';
import * as SORT_ORDER from './enums/sort-order.ts';
import * as TREND_TARGET from './enums/trend-target.ts';
import * as TREND_TYPE from './enums/trend-type.ts';
import * as WITHDRAWAL_STATUS from './enums/withdrawal-status.ts';

export {
  APPLICATION_STATUS,
  COMMENT_STATUS,
  ESSAY_STATUS,
  FLAG,
  IDENTITY,
  ORDER_STATUS,
  REPORT_STATUS,
  SORT_ORDER,
  TREND_TARGET,
  TREND_TYPE,
  WITHDRAWAL_STATUS,
};

export type Flag = (typeof FLAG)[keyof typeof FLAG];
export type SortOrder = (typeof SORT_ORDER)[keyof typeof SORT_ORDER];

/** Returns `fallback` when the flag is missing. */
export const isOn = (flag: Flag | undefined, fallback: boolean): boolean =>
  flag === undefined ? fallback : flag === FLAG.on;

export const toFlag = (isOn: boolean): Flag => (isOn ? FLAG.on : FLAG.off);
