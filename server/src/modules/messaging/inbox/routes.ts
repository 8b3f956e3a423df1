import * as calls from '@mozhan/contract/notices.ts';
import { bindPage } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { listNotices } from './queries.ts';
import { toNotice } from './views.ts';

export const routes = [
  bindPage(calls.listNotices, toNotice, (ctx, input) =>
    listNotices(ctx.db, { ...input, userId: requireSignedIn(ctx).id }),
  ),
];
