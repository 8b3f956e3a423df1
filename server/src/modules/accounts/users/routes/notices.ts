import { invalidField } from '@mozhan/contract/errors.ts';
import * as calls from '@mozhan/contract/notices.ts';
import { bind, bindDone } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { getUnreadCounts, markRead } from '../actions/notices.ts';

export const routes = [
  bindDone(calls.readNotices, async (ctx, input) => {
    if (input.all === undefined && input.ids === undefined)
      throw invalidField('ids', '请给出要标为已读的通知');
    await markRead(ctx, requireSignedIn(ctx).id, input.all === true ? 'all' : (input.ids ?? []));
  }),
  bind(calls.getUnreadCounts, (ctx) => getUnreadCounts(ctx, requireSignedIn(ctx).id)),
];
