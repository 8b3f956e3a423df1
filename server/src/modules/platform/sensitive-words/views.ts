import { toFlag } from '@mozhan/contract/enums.ts';
import type { Word as WordView } from '@mozhan/contract/sensitive-words.ts';
import type { Word } from './tables.ts';

export function toWord(word: Word): WordView {
  return {
    id: word.id,
    word: word.word,
    level: word.level,
    note: word.note,
    enabled: toFlag(word.enabled),
    createdAt: word.createdAt.toISOString(),
  };
}
