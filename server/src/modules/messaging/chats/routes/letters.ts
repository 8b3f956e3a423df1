import * as calls from '@mozhan/contract/letters.ts';
import { bind, bindDone, bindPrepared } from '../../../../http/route.ts';
import { signedIn } from '../../../../viewer.ts';
import { listLetters, listThreads, prepareLetter, readThread, removeThread } from '../actions/letters.ts';

export const routes = [
  bind(calls.listLetters, (ctx, { threadId, ...query }) =>
    threadId === undefined
      ? listThreads(ctx, signedIn(ctx), query)
      : listLetters(ctx, signedIn(ctx), { ...query, threadId }),
  ),
  bindPrepared(calls.sendLetter, (ctx, input) => prepareLetter(ctx, signedIn(ctx), input)),
  bindDone(calls.readThread, (ctx, { threadId }) => readThread(ctx, signedIn(ctx), threadId)),
  bindDone(calls.removeThread, (ctx, { threadId }) => removeThread(ctx, signedIn(ctx), threadId)),
];
