import * as calls from '@mozhan/contract/webhooks.ts';
import { bind, bindDone, bindPage } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import * as actions from './actions/endpoints.ts';
import { readSecret } from './actions/secret.ts';
import * as queries from './queries.ts';
import { toDelivery, toEndpoint } from './views.ts';

export const routes = [
  bind(calls.listEndpoints, async (ctx) => ({
    list: (await queries.listEndpoints(ctx.db)).map(toEndpoint),
  })),
  bind(calls.createEndpoint, async (ctx, input) => {
    const row = await actions.createEndpoint(ctx, requireSignedIn(ctx), input);
    return { ...toEndpoint(row), secret: readSecret(ctx, row) };
  }),
  bind(calls.updateEndpoint, async (ctx, input) => toEndpoint(await actions.updateEndpoint(ctx, input))),
  bindDone(calls.removeEndpoint, (ctx, { id }) => actions.removeEndpoint(ctx, id)),
  bind(calls.getEndpointSecret, async (ctx, { id }) => {
    return { secret: readSecret(ctx, await queries.endpointRows.get(ctx.db, id)) };
  }),
  bind(calls.testEndpoint, async (ctx, { id }) => ({ id: await actions.testEndpoint(ctx, id) })),
  bindPage(calls.listDeliveries, toDelivery, (ctx, input) => queries.listDeliveries(ctx.db, input)),
  bind(calls.getDelivery, async (ctx, { id }) => {
    const { delivery, endpoint } = await queries.getDelivery(ctx.db, id);
    const { body, response, log } = delivery;
    return { ...toDelivery({ delivery, endpoint }), body, response, log };
  }),
  bind(calls.redeliver, async (ctx, { ids }) => ({ count: await actions.redeliver(ctx, ids) })),
];
