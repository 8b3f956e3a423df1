import * as calls from '@mozhan/contract/announcements.ts';
import { bind, bindDone, bindPrepared } from '../../../../http/route.ts';
import * as actions from '../actions/announcements.ts';
import { listAnnouncements } from '../queries/announcements.ts';
import { toAnnouncement } from '../views/announcements.ts';

export const routes = [
  bind(calls.listAnnouncements, async (ctx) => {
    const { config } = ctx.services;
    return (await listAnnouncements(ctx.db)).map((row) => toAnnouncement(row, config));
  }),
  bindPrepared(calls.createAnnouncement, async (ctx, input) => {
    const create = await actions.prepareCreate(ctx, input);
    return async (ctx) => toAnnouncement(await create(ctx), ctx.services.config);
  }),
  bindPrepared(calls.updateAnnouncement, async (ctx, input) => {
    const change = await actions.prepareUpdate(ctx, input);
    return async (ctx) => toAnnouncement(await change(ctx), ctx.services.config);
  }),
  bindDone(calls.removeAnnouncement, (ctx, { id }) => actions.removeAnnouncement(ctx, id)),
];
