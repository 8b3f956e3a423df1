import * as calls from '@mozhan/contract/media.ts';
import { bind } from '../../../http/route.ts';
import { getUser } from '../../accounts/users/index.ts';
import * as uploads from '../../platform/uploads/index.ts';
import * as actions from './actions.ts';

export const routes = [
  bind(calls.listMedia, actions.listMediaPage),
  bind(calls.listMediaUses, (ctx, { kind, id }) => actions.listUsesOf(ctx, kind, id)),
  bind(calls.getMediaTotals, (ctx) => actions.getTotals(ctx)),
  bind(calls.removeMedia, (ctx, { kind, ids }) => actions.removeMedia(ctx, kind, ids)),
  bind(calls.cleanMedia, (ctx, { kind }) => actions.cleanMedia(ctx, kind)),
  bind(calls.getUploadQuotas, (ctx) => uploads.getQuotas(ctx.db)),
  bind(calls.updateUploadQuotas, uploads.updateQuotas),
  bind(calls.getUserStorage, async (ctx, { userId }) => {
    await getUser(ctx.db, userId);
    return uploads.getUserStorage(ctx, userId);
  }),
  bind(calls.updateUserQuotas, async (ctx, { userId, ...quotas }) => {
    await getUser(ctx.db, userId);
    return uploads.updateUserQuotas(ctx, userId, quotas);
  }),
];
