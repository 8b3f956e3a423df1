import * as calls from '@mozhan/contract/notices.ts';
import { bind } from '../../../http/route.ts';
import { signedIn } from '../../../viewer.ts';
import { listNotices } from './queries.ts';
import { toNotice } from './views.ts';

export const routes = [
  bind(calls.listNotices, async (ctx, input) => {
    const page = await listNotices(ctx.db, { ...input, userId: signedIn(ctx).id });
    return { ...page, list: page.list.map((row) => toNotice(row, ctx.now)) };
  }),
];
