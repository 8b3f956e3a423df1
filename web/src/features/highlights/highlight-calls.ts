import type { TextQuote } from '@mozhan/contract/anchoring.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import type { HighlightColor } from '@mozhan/contract/highlight-colors.ts';
import type { Highlight } from '@mozhan/contract/highlights.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { callQuery } from '#web/lib/queries.ts';

export const colorNames: Record<HighlightColor, string> = {
  yellow: '黄色',
  green: '绿色',
  blue: '蓝色',
  pink: '粉色',
};

export const marksQuery = (api: Client, essayId: string) =>
  callQuery(api, 'GET core/essay/highlight/mark', { essayId });

const toInput = ({ exact, prefix, suffix, start }: TextQuote) => ({ exact, prefix, suffix, start });

/** Calls that change highlights of one essay, and the cached list of its marks. */
export function useHighlightCalls(essayId: string) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { queryKey } = marksQuery(api, essayId);

  function store(highlight: Highlight): Highlight {
    queryClient.setQueryData(queryKey, (marks) => ({
      passages: marks?.passages ?? [],
      mine: [highlight, ...(marks?.mine ?? []).filter(({ id }) => id !== highlight.id)],
    }));
    return highlight;
  }

  return {
    create: async (quote: TextQuote, fields: { color?: HighlightColor; note?: string } = {}) =>
      store(await api('POST core/essay/highlight', { essayId, ...toInput(quote), ...fields })),
    update: async (id: string, fields: { color?: HighlightColor; note?: string }) =>
      store(await api('PUT core/essay/highlight', { id, ...fields })),
    /** Makes the thought public. */
    async publish(highlight: Highlight, content: string): Promise<{ held: boolean }> {
      const { id, held } = await api('POST core/essay/cmt', { essayId, content, highlightId: highlight.id });
      const status = held ? COMMENT_STATUS.held : COMMENT_STATUS.visible;
      store({ ...highlight, note: content, thought: { cmtId: id, status } });
      void queryClient.invalidateQueries({ queryKey: ['GET core/essay/cmt'] });
      void queryClient.invalidateQueries({ queryKey: ['GET core/essay/cmt/thought'] });
      return { held };
    },
    /** The reader keeps the thought for themselves. */
    async unpublish(highlight: Highlight): Promise<Highlight> {
      if (highlight.thought !== null) await api('DELETE core/essay/cmt', { id: highlight.thought.cmtId });
      void queryClient.invalidateQueries({ queryKey: ['GET core/essay/cmt'] });
      void queryClient.invalidateQueries({ queryKey: ['GET core/essay/cmt/thought'] });
      return store({ ...highlight, thought: null });
    },
    /** Removes the public thought too. */
    async remove({ id, thought }: Highlight): Promise<void> {
      if (thought !== null) await api('DELETE core/essay/cmt', { id: thought.cmtId });
      await api('DELETE core/essay/highlight', { id });
      queryClient.setQueryData(
        queryKey,
        (marks) => marks && { ...marks, mine: marks.mine.filter((each) => each.id !== id) },
      );
      if (thought !== null) void queryClient.invalidateQueries({ queryKey: ['GET core/essay/cmt'] });
    },
  };
}
