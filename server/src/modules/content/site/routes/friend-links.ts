import * as calls from '@mozhan/contract/friend-links.ts';
import { bind, bindDone } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import * as actions from '../actions/friend-links.ts';
import { listFriendLinks } from '../queries/friend-links.ts';
import { toFriendLink, toVisibleFriendLink } from '../views/friend-links.ts';

export const routes = [
  bind(calls.listVisibleFriendLinks, async (ctx) =>
    (await actions.listVisibleFriendLinks(ctx)).map(toVisibleFriendLink),
  ),
  bind(calls.listFriendLinks, async (ctx) => (await listFriendLinks(ctx.db, 'all')).map(toFriendLink)),
  bind(calls.createFriendLink, async (ctx, input) =>
    toFriendLink(await actions.createFriendLink(ctx, requireSignedIn(ctx), input)),
  ),
  bind(calls.updateFriendLink, async (ctx, input) =>
    toFriendLink(await actions.updateFriendLink(ctx, requireSignedIn(ctx), input)),
  ),
  bindDone(calls.removeFriendLink, (ctx, { id }) => actions.removeFriendLink(ctx, id)),
];
