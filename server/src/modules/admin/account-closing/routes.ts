import * as calls from '@mozhan/contract/account-closing.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { bind } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { requestClosing } from './actions.ts';

export const routes = [
  bind(calls.closeAccount, async (ctx, { waive }) => ({
    closesAt: (await requestClosing(ctx, requireSignedIn(ctx), waive === FLAG.on)).toISOString(),
  })),
];
