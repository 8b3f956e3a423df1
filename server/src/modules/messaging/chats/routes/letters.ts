import * as calls from '@mozhan/contract/letters.ts';
import { bind, bindDone, bindPrepared } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { listLetters, listThreads, prepareLetter, readThread, removeThread } from '../actions/letters.ts';

export const routes = [
  bind(calls.listLetters, (ctx, { threadId, ...query }) =>
    threadId === undefined
      ? listThreads(ctx, requireSignedIn(ctx), query)
      : listLetters(ctx, requireSignedIn(ctx), { ...query, threadId }),
  ),
  bindPrepared(calls.sendLetter, (ctx, input) => prepareLetter(ctx, requireSignedIn(ctx), input)),
  bindDone(calls.readThread, (ctx, { threadId }) => readThread(ctx, requireSignedIn(ctx), threadId)),
  bindDone(calls.removeThread, (ctx, { threadId }) => removeThread(ctx, requireSignedIn(ctx), threadId)),
];
