import type { TextQuote } from '@mozhan/contract/anchoring.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { MAX_POSTER_QUOTE_LENGTH } from '@mozhan/contract/highlight-colors.ts';
import { setPendingQuote } from '#web/features/comments/pending-quote.ts';
import { useSite } from '#web/lib/queries.ts';
import { copyText } from '#web/ui/copy-text.ts';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';

const loadPoster = () => import('./quote-poster.tsx').then(({ QuotePoster }) => QuotePoster);
const loadThought = () => import('./thought-dialog.tsx').then(({ ThoughtDialog }) => ThoughtDialog);

export const useThoughtDialog = () => useLazyDialog(loadThought);

/** Opens the form below the text, whose code is loaded when it comes near. */
function scrollToComments(): void {
  const say = document.getElementById('say');
  (say ?? document.getElementById('comments'))?.scrollIntoView({ block: 'center' });
}

/** What can be done with a passage besides highlighting it. */
export function useQuoteActions(essay: Essay, quote: TextQuote | null, words: string) {
  const { switches } = useSite();
  const poster = useLazyDialog(loadPoster);
  return {
    canQuote: essay.allowComment && switches.comments !== 'off',
    async copy(): Promise<void> {
      if (await copyText(words)) toast('已复制');
    },
    quoteInComment(): void {
      if (quote === null) return;
      setPendingQuote({ essayId: essay.id, quote, words });
      scrollToComments();
    },
    openPoster(): void {
      if ((quote?.exact.length ?? 0) > MAX_POSTER_QUOTE_LENGTH)
        toast(`海报放不下这么多，最多 ${MAX_POSTER_QUOTE_LENGTH} 个字`, 'warn');
      else poster.open();
    },
    posterDialog: poster.dialog({ essay, words }),
  };
}
