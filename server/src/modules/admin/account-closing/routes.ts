import * as calls from '@mozhan/contract/account-closing.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { bind } from '../../../http/route.ts';
import { signedIn } from '../../../viewer.ts';
import { askToClose } from './actions.ts';

export const routes = [
  bind(calls.closeAccount, async (ctx, { waive }) => ({
    closesAt: (await askToClose(ctx, signedIn(ctx), waive === FLAG.on)).toISOString(),
  })),
];
