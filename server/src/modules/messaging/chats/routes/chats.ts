import * as calls from '@mozhan/contract/chats.ts';
import { bind, bindDone, bindPrepared } from '../../../../http/route.ts';
import { signedIn } from '../../../../viewer.ts';
import { countTalks } from '../actions/counts.ts';
import { listChats, listRoom } from '../actions/lists.ts';
import * as moderate from '../actions/moderate.ts';
import { readChat, updateRoom } from '../actions/read.ts';
import { searchChats } from '../actions/search.ts';
import { prepareChat, prepareRoomMessage } from '../actions/send.ts';

export const routes = [
  bind(calls.listChats, (ctx, input) => listChats(ctx, signedIn(ctx), input)),
  bindPrepared(calls.sendChat, (ctx, input) => prepareChat(ctx, signedIn(ctx), input)),
  bindDone(calls.readChat, (ctx, input) => readChat(ctx, signedIn(ctx), input)),
  bindDone(calls.recallChat, (ctx, input) => moderate.recallChat(ctx, signedIn(ctx), input)),
  bind(calls.listRoom, (ctx, input) => listRoom(ctx, signedIn(ctx), input)),
  bindPrepared(calls.sendToRoom, (ctx, input) => prepareRoomMessage(ctx, signedIn(ctx), input)),
  bindDone(calls.updateRoom, (ctx, input) => updateRoom(ctx, signedIn(ctx), input)),
  bindDone(calls.removeFromRoom, (ctx, input) => moderate.removeFromRoom(ctx, signedIn(ctx), input)),
  bind(calls.muteInRoom, (ctx, input) => moderate.muteInRoom(ctx, signedIn(ctx), input)),
  bind(calls.listMuted, (ctx, input) => moderate.listMuted(ctx, signedIn(ctx), input.essayId)),
  bind(calls.searchChats, (ctx, input) => searchChats(ctx, signedIn(ctx), input)),
  bind(calls.getTalkCounts, (ctx) => countTalks(ctx, signedIn(ctx).id)),
];
