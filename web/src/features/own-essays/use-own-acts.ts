import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { OwnEssayAct, OwnEssayResult } from '@mozhan/contract/own-essays.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { toast, toastWithUndo } from '#web/ui/toast.tsx';
import { essayQueries } from './use-essay-actions.ts';

const verbs: Record<OwnEssayAct, string> = {
  shelve: '上架',
  unshelve: '下架',
  remove: '删除',
  restore: '恢复',
  move: '移动',
};

interface Act {
  act: OwnEssayAct;
  ids: string[];
  /** For `move`: null takes the essays out of their columns. */
  columnId?: string | null;
  /** For `shelve`: those of `ids` to pin on the author's home page, the last one first. */
  pinnedIds?: string[];
}

/** Pinning puts an essay before the others, so the last one is pinned first. */
const listPinned = (essays: readonly OwnEssayResult[]): string[] =>
  essays
    .filter(({ pinPosition }) => pinPosition !== null)
    .toSorted((a, b) => (b.pinPosition ?? 0) - (a.pinPosition ?? 0))
    .map(({ id }) => id);

/** The acts that restore the state before; essays may have been in several columns. */
function inverseOf(act: OwnEssayAct, changed: readonly OwnEssayResult[]): Act[] {
  const ids = changed.map(({ id }) => id);
  if (act === 'shelve') return [{ act: 'unshelve', ids }];
  if (act === 'unshelve') return [{ act: 'shelve', ids, pinnedIds: listPinned(changed) }];
  if (act === 'remove') return [{ act: 'restore', ids }];
  const byColumn = Map.groupBy(changed, ({ columnId }) => columnId);
  return [...byColumn].map(([columnId, essays]) => ({
    act: 'move',
    columnId,
    ids: essays.map(({ id }) => id),
  }));
}

const nameOf = (essays: readonly OwnEssayResult[]): string =>
  essays.length === 1 ? `《${essays[0]?.title || '没有标题'}》` : ` ${essays.length} 篇文章`;

/** Changes own essays at once, and offers to undo it. */
export function useOwnActs() {
  const api = useApi();
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);

  async function send({ act, ids, columnId }: Act): Promise<OwnEssayResult[]> {
    const { list } = await api('PUT core/essay/own', { act, ids, ...(act === 'move' && { columnId }) });
    const [failed, ...others] = list.filter(({ error }) => error !== null);
    if (failed !== undefined)
      toast(
        `${nameOf([failed])}没能${verbs[act]}：${failed.error}${others.length > 0 ? `；另有 ${others.length} 篇也没能成功` : ''}`,
        'warn',
      );
    return list.filter(({ changed }) => changed);
  }

  async function undo(acts: readonly Act[]): Promise<void> {
    try {
      for (const act of acts) {
        const changed = new Set((await send(act)).map(({ id }) => id));
        for (const id of act.pinnedIds ?? [])
          if (changed.has(id)) await api('PUT core/essay/pin', { id, pinned: true });
      }
      toast('已撤销');
    } catch (error) {
      toast(errorMessageOf(error), 'bad');
    } finally {
      await queryClient.invalidateQueries(essayQueries);
    }
  }

  async function run(act: Act): Promise<void> {
    setBusy(true);
    try {
      const changed = await send(act);
      if (changed.length > 0)
        toastWithUndo(`已${verbs[act.act]}${nameOf(changed)}`, () => void undo(inverseOf(act.act, changed)));
    } catch (error) {
      toast(errorMessageOf(error), 'bad');
    } finally {
      setBusy(false);
      await queryClient.invalidateQueries(essayQueries);
    }
  }

  return { run, isBusy };
}
