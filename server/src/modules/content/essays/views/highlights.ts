import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Highlight, HighlightedEssay, Passage } from '@mozhan/contract/highlights.ts';
import type { EssayBrief, HighlightedEssayRow } from '../queries/highlights.ts';
import type { HighlightRow, StoredPassage } from '../tables.ts';

/** Off the shelf, the title may be that of an unpublished draft. */
const toEssayRef = ({ id, slug, title, status, deletedAt }: EssayBrief): Highlight['essay'] => {
  const isPublic = status === ESSAY_STATUS.onShelf && deletedAt === null;
  return { id, slug: isPublic ? slug : null, title: isPublic ? title : null };
};

/** Only for the reader who made it. Revised words of locked text are shown only to those who may read it. */
export const toHighlight = (
  { highlight, essay }: { highlight: HighlightRow; essay: EssayBrief },
  mayReadAll: boolean,
): Highlight => ({
  id: highlight.id,
  essay: toEssayRef(essay),
  color: highlight.color,
  quote: highlight.quote,
  state: highlight.state,
  start: highlight.startAt,
  end: highlight.endAt,
  exact: highlight.locked && !mayReadAll ? highlight.quote : highlight.exact,
  note: highlight.note,
  thought:
    highlight.commentId === null || highlight.thoughtStatus === null
      ? null
      : { cmtId: highlight.commentId, status: highlight.thoughtStatus },
  createdAt: highlight.createdAt.toISOString(),
  updatedAt: highlight.updatedAt.toISOString(),
});

export const toHighlightedEssay = ({ essay, count, updatedAt }: HighlightedEssayRow): HighlightedEssay => ({
  essay: toEssayRef(essay),
  count,
  updatedAt: updatedAt.toISOString(),
});

export const toPassage = ({ start, end, opening, readers, thoughts }: StoredPassage): Passage => ({
  start,
  end,
  opening,
  readers,
  thoughts,
});
