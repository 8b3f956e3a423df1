import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import * as calls from '@mozhan/contract/orders.ts';
import { createReward } from '@mozhan/contract/rewards.ts';
import { mapPage } from '../../../../db/page.ts';
import { bind, bindOnce } from '../../../../http/route.ts';
import { signedIn } from '../../../../viewer.ts';
import { getPriceRules } from '../../members/index.ts';
import { getCashier, useCashier } from '../actions/cashier.ts';
import { createOrder } from '../actions/create.ts';
import { cancelOrder, getOwn, payOrder, setInvoice } from '../actions/own.ts';
import { refundOrder } from '../actions/refund.ts';
import { checkRewardMessage } from '../actions/rewards.ts';
import { getForStaff, listForStaff, listOwn } from '../queries/lists.ts';
import { toOrder, toStaffOrder } from '../views/orders.ts';

export const routes = [
  bind(calls.listOrders, async (ctx, { id, ...query }) => {
    const viewer = signedIn(ctx);
    if (id !== undefined) return toOrder(await getOwn(ctx, viewer, id), ctx.now);
    const page = await listOwn(ctx.db, { ...query, userId: viewer.id });
    return mapPage(page, (order) => toOrder(order, ctx.now));
  }),
  bindOnce(calls.createOrder, async (ctx, { payBy, wechatCode, ...wanted }, requestId) =>
    toOrder(await createOrder(ctx, signedIn(ctx), wanted, { payBy, wechatCode, requestId }), ctx.now),
  ),
  bindOnce(createReward, async (ctx, { essayId, amount, message, payBy, wechatCode }, requestId) => {
    const said = message === '' ? '' : await checkRewardMessage(ctx, message);
    const wanted = { kind: 'reward', targetId: essayId, amount, message: said } as const;
    return toOrder(await createOrder(ctx, signedIn(ctx), wanted, { payBy, wechatCode, requestId }), ctx.now);
  }),
  bindOnce(calls.updateOrder, async (ctx, { id, action }) => {
    const change = action === 'pay' ? payOrder : cancelOrder;
    return toOrder(await change(ctx, signedIn(ctx), id), ctx.now);
  }),
  bind(calls.setInvoice, async (ctx, { id, ...invoice }) =>
    toOrder(await setInvoice(ctx, signedIn(ctx), id, invoice), ctx.now),
  ),
  bind(calls.getCashier, (ctx, { no, key }) => getCashier(ctx, no, key)),
  bindOnce(calls.useCashier, (ctx, input) => useCashier(ctx, input)),
  bind(calls.getWechatAuth, async (ctx, { back }) => {
    const { config, providers } = ctx.services;
    const authorize = providers.wechat?.authorize;
    if (authorize === undefined) throw new CallError('PAY_UNAVAILABLE');
    return { url: authorize((config.siteUrl ?? '') + back) };
  }),
  bind(calls.listStaffOrders, async (ctx, { sort = 'createdAt', order, ...query }) => {
    const [page, rules] = await Promise.all([
      listForStaff(ctx.db, { ...query, sort, isDescending: order !== SORT_ORDER.ascending }),
      getPriceRules(ctx),
    ]);
    return mapPage(page, (row) => toStaffOrder(row, rules, ctx.now));
  }),
  bind(calls.refundOrder, async (ctx, { id, reason }) => {
    await refundOrder(ctx, signedIn(ctx), id, reason);
    return toStaffOrder(await getForStaff(ctx.db, id), await getPriceRules(ctx), ctx.now);
  }),
];
