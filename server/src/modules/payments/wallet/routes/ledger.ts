import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import * as calls from '@mozhan/contract/ledger.ts';
import { bind } from '../../../../http/route.ts';
import { listAccountSums, listEntries } from '../queries/ledger.ts';
import { toEntry } from '../views/ledger.ts';

export const routes = [
  bind(calls.listLedger, async (ctx, { order, ...query }) => {
    const page = await listEntries(ctx.db, { ...query, isDescending: order !== SORT_ORDER.ascending });
    const accounts = await listAccountSums(ctx.db);
    return {
      ...page,
      list: page.list.map((entry) => toEntry(entry, ctx.now)),
      sum: accounts.reduce((sum, each) => sum + each.balance, 0),
      accounts,
    };
  }),
];
