import * as calls from '@mozhan/contract/chats.ts';
import { bind, bindDone, bindPrepared } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { countUnreadConversations } from '../actions/counts.ts';
import { listChats, listRoomChats } from '../actions/lists.ts';
import * as moderate from '../actions/moderate.ts';
import { readChat, updateRoom } from '../actions/read.ts';
import { searchChats } from '../actions/search.ts';
import { prepareChat, prepareRoomMessage } from '../actions/send.ts';

export const routes = [
  bind(calls.listChats, (ctx, input) => listChats(ctx, requireSignedIn(ctx), input)),
  bindPrepared(calls.sendChat, (ctx, input) => prepareChat(ctx, requireSignedIn(ctx), input)),
  bindDone(calls.readChat, (ctx, input) => readChat(ctx, requireSignedIn(ctx), input)),
  bindDone(calls.recallChat, (ctx, input) => moderate.recallChat(ctx, requireSignedIn(ctx), input)),
  bind(calls.listRoomChats, (ctx, input) => listRoomChats(ctx, requireSignedIn(ctx), input)),
  bindPrepared(calls.sendToRoom, (ctx, input) => prepareRoomMessage(ctx, requireSignedIn(ctx), input)),
  bindDone(calls.updateRoom, (ctx, input) => updateRoom(ctx, requireSignedIn(ctx), input)),
  bindDone(calls.removeFromRoom, (ctx, input) => moderate.removeFromRoom(ctx, requireSignedIn(ctx), input)),
  bind(calls.muteInRoom, (ctx, input) => moderate.muteInRoom(ctx, requireSignedIn(ctx), input)),
  bind(calls.listMutedUsers, (ctx, input) =>
    moderate.listMutedUsers(ctx, requireSignedIn(ctx), input.essayId),
  ),
  bind(calls.searchChats, (ctx, input) => searchChats(ctx, requireSignedIn(ctx), input)),
  bind(calls.getConversationCounts, (ctx) => countUnreadConversations(ctx, requireSignedIn(ctx).id)),
];
