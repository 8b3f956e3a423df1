import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import * as calls from '@mozhan/contract/orders.ts';
import { createReward } from '@mozhan/contract/rewards.ts';
import { mapPage } from '../../../../db/page.ts';
import { bind, bindOnce } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { getPriceRules } from '../../members/index.ts';
import { getCashierOrder, submitCashierAction } from '../actions/cashier.ts';
import { createOrder } from '../actions/create.ts';
import { cancelOrder, getOwnOrder, payOrder, setInvoice } from '../actions/own-orders.ts';
import { refundOrder, repeatRefund } from '../actions/refund.ts';
import { screenRewardMessage } from '../actions/rewards.ts';
import { getStaffOrder, listOwnOrders, listStaffOrders } from '../queries/lists.ts';
import { toOrder, toStaffOrder } from '../views/orders.ts';

export const routes = [
  bind(calls.listOrders, async (ctx, { id, ...query }) => {
    const viewer = requireSignedIn(ctx);
    if (id !== undefined) return toOrder(await getOwnOrder(ctx, viewer, id), ctx.now);
    const page = await listOwnOrders(ctx.db, { ...query, userId: viewer.id });
    return mapPage(page, (order) => toOrder(order, ctx.now));
  }),
  bindOnce(calls.createOrder, async (ctx, { payBy, wechatCode, ...request }, requestId) =>
    toOrder(await createOrder(ctx, requireSignedIn(ctx), request, { payBy, wechatCode, requestId }), ctx.now),
  ),
  bindOnce(createReward, async (ctx, { essayId, amount, message, payBy, wechatCode }, requestId) => {
    const screenedMessage = message === '' ? '' : await screenRewardMessage(ctx, message);
    const request = { kind: 'reward', targetId: essayId, amount, message: screenedMessage } as const;
    return toOrder(
      await createOrder(ctx, requireSignedIn(ctx), request, { payBy, wechatCode, requestId }),
      ctx.now,
    );
  }),
  bindOnce(calls.updateOrder, async (ctx, { id, action }) => {
    const change = action === 'pay' ? payOrder : cancelOrder;
    return toOrder(await change(ctx, requireSignedIn(ctx), id), ctx.now);
  }),
  bind(calls.setInvoice, async (ctx, { id, ...invoice }) =>
    toOrder(await setInvoice(ctx, requireSignedIn(ctx), id, invoice), ctx.now),
  ),
  bind(calls.getCashierOrder, (ctx, { no, key }) => getCashierOrder(ctx, no, key)),
  bindOnce(calls.submitCashierAction, (ctx, input) => submitCashierAction(ctx, input)),
  bind(calls.getWechatAuth, async (ctx, { back }) => {
    const { config, providers } = ctx.services;
    const authorize = providers.wechat?.authorize;
    if (authorize === undefined) throw new CallError('PAY_UNAVAILABLE');
    return { url: authorize((config.siteUrl ?? '') + back) };
  }),
  bind(calls.listStaffOrders, async (ctx, { sort = 'createdAt', order, ...query }) => {
    const [page, rules] = await Promise.all([
      listStaffOrders(ctx.db, { ...query, sort, isDescending: order !== SORT_ORDER.ascending }),
      getPriceRules(ctx),
    ]);
    return mapPage(page, (row) => toStaffOrder(row, rules, ctx.now));
  }),
  // Requests the provider, which must not happen in a transaction; a repeated request is refused.
  bindOnce(calls.repeatRefund, async (ctx, { id, toShop = false }) => {
    await repeatRefund(ctx, id, toShop);
    return toStaffOrder(await getStaffOrder(ctx.db, id), await getPriceRules(ctx), ctx.now);
  }),
  bind(calls.refundOrder, async (ctx, { id, reason }) => {
    await refundOrder(ctx, requireSignedIn(ctx), id, reason);
    return toStaffOrder(await getStaffOrder(ctx.db, id), await getPriceRules(ctx), ctx.now);
  }),
];
