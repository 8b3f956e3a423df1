import { invalid } from '@mozhan/contract/errors.ts';
import * as calls from '@mozhan/contract/notices.ts';
import { bind, bindDone } from '../../../../http/route.ts';
import { signedIn } from '../../../../viewer.ts';
import { getUnread, markRead } from '../actions/notices.ts';

export const routes = [
  bindDone(calls.readNotices, async (ctx, input) => {
    if (input.all === undefined && input.ids === undefined) throw invalid('ids', '请给出要标为已读的通知');
    await markRead(ctx, signedIn(ctx).id, input.all === true ? 'all' : (input.ids ?? []));
  }),
  bind(calls.getUnread, (ctx) => getUnread(ctx, signedIn(ctx).id)),
];
