import { invalidField } from '@mozhan/contract/errors.ts';
import type { BulkChange } from '@mozhan/contract/staff-essays.ts';
import type { EssaySettings } from '../tables.ts';

const MAX_TAGS = 5;

const keyOf = (tag: string): string => tag.normalize('NFKC').toLowerCase();

/** Tags that differ only in case or width are the same. */
export const isSameTag = (one: string, other: string): boolean => keyOf(one) === keyOf(other);

function changeTags(tags: string[], { addTags = [], removeTags = [] }: BulkChange): string[] {
  const kept = tags.filter((tag) => !removeTags.some((each) => isSameTag(each, tag)));
  const added = addTags.filter((tag) => !kept.some((each) => isSameTag(each, tag)));
  if (added.length > 0 && kept.length + added.length > MAX_TAGS)
    throw invalidField('addTags', `标签会超过 ${MAX_TAGS} 个，请先去掉几个`);
  return [...kept, ...added];
}

/** The settings of a version after a bulk change; fields that are not given stay. */
export const changeSettings = (settings: EssaySettings, change: BulkChange): EssaySettings => ({
  ...settings,
  ...(change.categoryId !== undefined && { categoryId: change.categoryId }),
  ...(change.columnId !== undefined && { columnId: change.columnId }),
  ...(change.price !== undefined && { price: change.price }),
  ...(change.memberFree !== undefined && { memberFree: change.memberFree }),
  tags: changeTags(settings.tags, change),
});
