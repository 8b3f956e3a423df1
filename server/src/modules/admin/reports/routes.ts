import * as calls from '@mozhan/contract/reports.ts';
import { bindDone, bindPage } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { createReport, handleReport } from './actions.ts';
import { listReports } from './queries.ts';
import { toReport } from './views.ts';

export const routes = [
  bindDone(calls.createReport, (ctx, input) => createReport(ctx, requireSignedIn(ctx), input)),
  bindPage(calls.listReports, toReport, (ctx, input) => listReports(ctx.db, input)),
  bindDone(calls.handleReport, (ctx, input) => handleReport(ctx, requireSignedIn(ctx), input)),
];
