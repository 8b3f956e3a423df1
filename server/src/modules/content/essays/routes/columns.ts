import * as calls from '@mozhan/contract/columns.ts';
import { mapPage } from '../../../../db/page.ts';
import { bind, bindCached, bindDone, bindPage } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { getColumnDetail } from '../actions/column-detail.ts';
import { followColumn, unfollowColumn } from '../actions/column-follows.ts';
import * as columns from '../actions/columns.ts';
import { listFollowedColumns } from '../queries/column-follows.ts';
import { listAllColumns } from '../queries/columns.ts';
import { toColumn, toFollowedColumn } from '../views/essays.ts';

export const routes = [
  bindCached(calls.getColumn, (ctx, { id }) => getColumnDetail(ctx, id)),
  bind(calls.followColumn, (ctx, { columnId }) => followColumn(ctx, requireSignedIn(ctx), columnId)),
  bind(calls.unfollowColumn, (ctx, { columnId }) => unfollowColumn(ctx, requireSignedIn(ctx), columnId)),
  bindPage(calls.listFollowedColumns, toFollowedColumn, (ctx, query) =>
    listFollowedColumns(ctx.db, { ...query, userId: requireSignedIn(ctx).id }),
  ),
  bind(calls.listColumns, async (ctx, query) => {
    if (query.id !== undefined) return toColumn(await columns.getColumn(ctx, query.id), ctx.now);
    return mapPage(await columns.listColumns(ctx, query), (row) => toColumn(row, ctx.now));
  }),
  bind(calls.createColumn, async (ctx, input) =>
    toColumn(await columns.createColumn(ctx, requireSignedIn(ctx), input), ctx.now),
  ),
  bind(calls.updateColumn, async (ctx, input) =>
    toColumn(await columns.updateColumn(ctx, requireSignedIn(ctx), input), ctx.now),
  ),
  bindDone(calls.removeColumn, (ctx, { id }) => columns.removeColumn(ctx, requireSignedIn(ctx), id)),
  bindPage(calls.listStaffColumns, toColumn, (ctx, query) => listAllColumns(ctx.db, query)),
  bind(calls.createStaffColumn, async (ctx, input) =>
    toColumn(await columns.createColumnAsStaff(ctx, input), ctx.now),
  ),
  bind(calls.updateStaffColumn, async (ctx, input) =>
    toColumn(await columns.updateColumnAsStaff(ctx, input), ctx.now),
  ),
  bindDone(calls.removeStaffColumn, (ctx, { id }) => columns.removeColumnAsStaff(ctx, id)),
];
