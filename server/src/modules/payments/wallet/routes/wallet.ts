import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import * as calls from '@mozhan/contract/wallet.ts';
import { bind, bindPage } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { findProviderHoldings } from '../../../platform/ledger/index.ts';
import { decideWithdrawal, getWallet, requestWithdrawal } from '../actions/wallet.ts';
import { listStaffWithdrawals, listWalletEntries, listWithdrawals } from '../queries/wallet.ts';
import { toStaffWithdrawal, toWalletEntry, toWithdrawal } from '../views/wallet.ts';

export const routes = [
  bind(calls.getWallet, (ctx) => getWallet(ctx, requireSignedIn(ctx))),
  bindPage(calls.listWalletEntries, toWalletEntry, (ctx, input) =>
    listWalletEntries(ctx.db, { ...input, userId: requireSignedIn(ctx).id }),
  ),
  bindPage(calls.listWithdrawals, toWithdrawal, (ctx, input) =>
    listWithdrawals(ctx.db, { ...input, userId: requireSignedIn(ctx).id }),
  ),
  bind(calls.createWithdrawal, async (ctx, input) =>
    toWithdrawal(await requestWithdrawal(ctx, requireSignedIn(ctx), input)),
  ),
  bind(calls.listStaffWithdrawals, async (ctx, { sort = 'createdAt', order, ...query }) => {
    const [page, unreal] = await Promise.all([
      listStaffWithdrawals(ctx.db, { ...query, sort, isDescending: order !== SORT_ORDER.ascending }),
      findProviderHoldings(ctx.db, 'sandbox'),
    ]);
    return {
      ...page,
      list: page.list.map((row) => toStaffWithdrawal(row, ctx.now)),
      payable: !ctx.services.config.paySandbox,
      unreal,
    };
  }),
  bind(calls.decideWithdrawal, async (ctx, input) =>
    toStaffWithdrawal(await decideWithdrawal(ctx, requireSignedIn(ctx), input), ctx.now),
  ),
];
