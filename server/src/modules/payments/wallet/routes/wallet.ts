import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import * as calls from '@mozhan/contract/wallet.ts';
import { bind, bindPage } from '../../../../http/route.ts';
import { signedIn } from '../../../../viewer.ts';
import { findHeld } from '../../../platform/ledger/index.ts';
import { decideWithdrawal, getWallet, requestWithdrawal } from '../actions/wallet.ts';
import { listForStaff, listWalletEntries, listWithdrawals } from '../queries/wallet.ts';
import { toStaffWithdrawal, toWalletEntry, toWithdrawal } from '../views/wallet.ts';

export const routes = [
  bind(calls.getWallet, (ctx) => getWallet(ctx, signedIn(ctx))),
  bindPage(calls.listWalletEntries, toWalletEntry, (ctx, input) =>
    listWalletEntries(ctx.db, { ...input, userId: signedIn(ctx).id }),
  ),
  bindPage(calls.listWithdrawals, toWithdrawal, (ctx, input) =>
    listWithdrawals(ctx.db, { ...input, userId: signedIn(ctx).id }),
  ),
  bind(calls.withdraw, async (ctx, input) =>
    toWithdrawal(await requestWithdrawal(ctx, signedIn(ctx), input)),
  ),
  bind(calls.listStaffWithdrawals, async (ctx, { sort = 'createdAt', order, ...query }) => {
    const [page, unreal] = await Promise.all([
      listForStaff(ctx.db, { ...query, sort, isDescending: order !== SORT_ORDER.ascending }),
      findHeld(ctx.db, 'sandbox'),
    ]);
    return {
      ...page,
      list: page.list.map((row) => toStaffWithdrawal(row, ctx.now)),
      payable: !ctx.services.config.paySandbox,
      unreal,
    };
  }),
  bind(calls.decideWithdrawal, async (ctx, input) =>
    toStaffWithdrawal(await decideWithdrawal(ctx, signedIn(ctx), input), ctx.now),
  ),
];
