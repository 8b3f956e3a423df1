import * as calls from '@mozhan/contract/reports.ts';
import { bind, DONE } from '../../../http/route.ts';
import { signedIn } from '../../../viewer.ts';
import { handleReport, reportSomething } from './actions.ts';
import { listReports } from './queries.ts';
import { toReport } from './views.ts';

export const routes = [
  bind(calls.reportSomething, async (ctx, input) => {
    await reportSomething(ctx, signedIn(ctx), input);
    return DONE;
  }),
  bind(calls.listReports, async (ctx, input) => {
    const page = await listReports(ctx.db, input);
    return { ...page, list: page.list.map((row) => toReport(row, ctx.now)) };
  }),
  bind(calls.handleReport, async (ctx, input) => {
    await handleReport(ctx, signedIn(ctx), input);
    return DONE;
  }),
];
