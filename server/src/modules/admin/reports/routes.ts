import * as calls from '@mozhan/contract/reports.ts';
import { bindDone, bindPage } from '../../../http/route.ts';
import { signedIn } from '../../../viewer.ts';
import { handleReport, reportSomething } from './actions.ts';
import { listReports } from './queries.ts';
import { toReport } from './views.ts';

export const routes = [
  bindDone(calls.reportSomething, (ctx, input) => reportSomething(ctx, signedIn(ctx), input)),
  bindPage(calls.listReports, toReport, (ctx, input) => listReports(ctx.db, input)),
  bindDone(calls.handleReport, (ctx, input) => handleReport(ctx, signedIn(ctx), input)),
];
