import { z } from 'zod';
import { done, id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { userCard } from './users.ts';

/** Of a word after normalization; Latin words need no dictionary. */
export const SEARCH_TERM = /^[\u4e00-\u9fff]{2,20}$/;
const MAX_TERMS_PER_CALL = 500;

const word = z.string().trim().min(1).max(40).meta({ title: '词' });

const searchTerm = z.object({ id, word: z.string(), createdAt: time });
export type SearchTerm = z.output<typeof searchTerm>;

export const listSearchTerms = defineCall({
  method: 'GET',
  path: 'core/sys/search/term',
  summary: '搜索词典里由工作人员添加的词，新的在前；keyword：含有它的',
  access: 'search:list',
  input: listInput.extend({ keyword: z.string().trim().max(20).optional().meta({ title: '词' }) }),
  output: pageOf(searchTerm),
});

export const createSearchTerms = defineCall({
  method: 'POST',
  path: 'core/sys/search/term',
  summary: '往搜索词典里添词，已有的跳过，全都已有时报错；搜索立即使用，旧文章要重建索引',
  access: 'search:update',
  input: z.object({
    words: z
      .array(word)
      .min(1)
      .max(MAX_TERMS_PER_CALL, `一次最多 ${MAX_TERMS_PER_CALL} 个`)
      .meta({ title: '词' }),
  }),
  output: z.object({ created: z.int(), known: z.int() }),
  maxBodyBytes: 128 * 1024,
});

export const removeSearchTerm = defineCall({
  method: 'DELETE',
  path: 'core/sys/search/term',
  summary: '从搜索词典里删除一个词；搜索立即不再使用，旧文章要重建索引',
  access: 'search:update',
  input: z.object({ id }),
  output: done,
});

const reindexRun = z.object({
  id,
  state: z.enum(['running', 'done', 'cancelled']),
  done: z.int().meta({ description: '已经重新编入索引的文章数' }),
  total: z.int().meta({ description: '开始时已上架的文章数' }),
  startedBy: userCard.nullable(),
  createdAt: time,
  finishedAt: time.nullable(),
});
export type ReindexRun = z.output<typeof reindexRun>;

export const getSearchIndex = defineCall({
  method: 'GET',
  path: 'core/sys/search/reindex',
  summary: '索引的状态，和最近几次重建的进度，新的在前',
  access: 'search:list',
  input: z.object({}),
  output: z.object({
    isOutdated: z.boolean().meta({ description: '上次重建开始之后词典改过' }),
    essayCount: z.int().meta({ description: '已上架的文章数，即重建要处理的' }),
    runs: z.array(reindexRun),
  }),
});

export const startReindex = defineCall({
  method: 'POST',
  path: 'core/sys/search/reindex',
  summary: '把全部已上架的文章重新编入索引；同时只能有一次',
  access: 'search:reindex',
  input: z.object({}),
  output: z.object({ id }),
  errors: ['REINDEX_RUNNING'],
});

export const cancelReindex = defineCall({
  method: 'DELETE',
  path: 'core/sys/search/reindex',
  summary: '停止重建；已经编入的保留',
  access: 'search:reindex',
  input: z.object({ id }),
  output: done,
  errors: ['REINDEX_FINISHED'],
});

export const calls = [
  listSearchTerms,
  createSearchTerms,
  removeSearchTerm,
  getSearchIndex,
  startReindex,
  cancelReindex,
] as const;
