import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayStatus } from '@mozhan/contract/essays.ts';
import { STATUS_REASONS } from './status.ts';
import type { ImportedEssay } from './types.ts';

interface Publication {
  status: EssayStatus;
  scheduledAt: string | null;
}

const DRAFT: Publication = { status: ESSAY_STATUS.draft, scheduledAt: null };
/** The contract refuses later dates. */
const LAST_SCHEDULED = new Date('2099-12-31T00:00:00Z');

function schedule(date: Date, now: Date, notes: string[]): Publication {
  if (date > LAST_SCHEDULED) {
    notes.push(STATUS_REASONS.scheduled);
    return DRAFT;
  }
  // A run may reach the essay only after its time has come.
  if (date <= now) return { status: ESSAY_STATUS.onShelf, scheduledAt: null };
  notes.push('还没有到发布时间，到时自动发布');
  return { status: ESSAY_STATUS.approved, scheduledAt: date.toISOString() };
}

type Given = Pick<ImportedEssay, 'status' | 'statusReason' | 'publishedAt' | 'invalidDates'>;

/** Nothing becomes more public than it was; an essay with an unreadable date becomes a draft. */
export function choosePublication(given: Given, now: Date, notes: string[]): Publication {
  const { status, statusReason, publishedAt, invalidDates } = given;
  if (status === 'scheduled' && publishedAt !== null) return schedule(publishedAt, now, notes);
  const isPublished = status === 'published';
  if (statusReason !== '') notes.push(statusReason);
  const hasNoDate = isPublished && publishedAt === null;
  for (const date of invalidDates) notes.push(`日期「${date}」无法识别${hasNoDate ? '，作为草稿导入' : ''}`);
  if (!isPublished || (hasNoDate && invalidDates.length > 0)) return DRAFT;
  if (publishedAt === null) notes.push('原文没有日期，按导入的时间发布');
  else if (publishedAt > now) return schedule(publishedAt, now, notes);
  return { status: ESSAY_STATUS.onShelf, scheduledAt: null };
}
