import { FLAG } from '@mozhan/contract/enums.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import * as calls from '@mozhan/contract/sensitive-words.ts';
import { bind, DONE } from '../../../http/route.ts';
import * as actions from './actions.ts';
import { listWords } from './queries.ts';
import { toWord } from './views.ts';

export const routes = [
  bind(calls.listWords, async (ctx, { enabled, ...input }) => {
    const page = await listWords(ctx.db, {
      ...input,
      enabled: enabled === undefined ? undefined : enabled === FLAG.on,
    });
    return { ...page, list: page.list.map(toWord) };
  }),
  bind(calls.createWords, async (ctx, { word, words, ...more }) => {
    if (word !== undefined) return toWord(await actions.createWord(ctx, word, more));
    if (words !== undefined) return actions.createWords(ctx, words, more);
    throw invalid('word', '请给出敏感词');
  }),
  bind(calls.updateWord, async (ctx, input) => toWord(await actions.updateWord(ctx, input))),
  bind(calls.removeWord, async (ctx, input) => {
    await actions.removeWord(ctx, input.id);
    return DONE;
  }),
  bind(calls.testWords, actions.testWords),
];
