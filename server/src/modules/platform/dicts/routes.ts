import * as calls from '@mozhan/contract/dicts.ts';
import { bind, bindDone } from '../../../http/route.ts';
import * as actions from './actions.ts';
import * as queries from './queries.ts';
import { toDict, toDictItem } from './views.ts';

export const routes = [
  bind(calls.listDicts, async (ctx, input) =>
    input.id === undefined
      ? (await queries.listDicts(ctx.db)).map(toDict)
      : toDict(await queries.dictRows.get(ctx.db, input.id)),
  ),
  bind(calls.createDict, async (ctx, input) => toDict(await actions.createDict(ctx, input))),
  bind(calls.updateDict, async (ctx, input) => toDict(await actions.updateDict(ctx, input))),
  bindDone(calls.removeDict, (ctx, input) => actions.removeDict(ctx, input.id)),
  bind(calls.listDictItems, async (ctx, { id, dictId, code = '' }) => {
    if (id !== undefined) return toDictItem(await actions.getItem(ctx, id));
    const items =
      dictId === undefined
        ? await actions.listEnabledItems(ctx, code)
        : await actions.listAllItems(ctx, dictId);
    return items.map(toDictItem);
  }),
  bind(calls.createDictItem, async (ctx, input) => toDictItem(await actions.createItem(ctx, input))),
  bind(calls.updateDictItem, async (ctx, input) => toDictItem(await actions.updateItem(ctx, input))),
  bindDone(calls.removeDictItem, (ctx, input) => actions.removeItem(ctx, input.id)),
];
