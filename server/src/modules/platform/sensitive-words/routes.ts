import { FLAG } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import * as calls from '@mozhan/contract/sensitive-words.ts';
import { bind, bindDone, bindPage } from '../../../http/route.ts';
import * as actions from './actions.ts';
import { listWords } from './queries.ts';
import { toWord } from './views.ts';

export const routes = [
  bindPage(calls.listWords, toWord, (ctx, { enabled, ...input }) =>
    listWords(ctx.db, {
      ...input,
      enabled: enabled === undefined ? undefined : enabled === FLAG.on,
    }),
  ),
  bind(calls.createWords, async (ctx, { word, words, ...more }) => {
    if (word !== undefined) return toWord(await actions.createWord(ctx, word, more));
    if (words !== undefined) return actions.createWords(ctx, words, more);
    throw invalidField('word', '请给出敏感词');
  }),
  bind(calls.updateWord, async (ctx, input) => toWord(await actions.updateWord(ctx, input))),
  bindDone(calls.removeWord, (ctx, input) => actions.removeWord(ctx, input.id)),
  bind(calls.testWords, actions.testWords),
];
