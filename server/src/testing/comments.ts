import type { Input } from '@mozhan/contract/client.ts';
import type { Comment, Reply } from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';
import { expect } from 'vitest';
import { callAsAdmin } from './admin.ts';
import type { TestApp } from './app.ts';

export const commentCalls = (t: TestApp) => ({
  addComment: (essayId: string, content: string, token?: string, more: object = {}) =>
    t.call('POST core/essay/cmt', { essayId, content, ...more }, { token }),
  reply: (cmtId: string, content: string, token?: string, more: object = {}) =>
    t.call('POST core/essay/cmt/reply', { cmtId, content, ...more }, { token }),
  edit: (id: string, more: object, token?: string) =>
    t.call('PUT core/essay/cmt', { id, ...more }, { token }),
  remove: (id: string, token?: string) => t.call('DELETE core/essay/cmt', { id }, { token }),
  removeReply: (id: string, token?: string) => t.call('DELETE core/essay/cmt/reply', { id }, { token }),
  like: (id: string, token?: string) => t.call('POST core/essay/cmt/like', { id }, { token }),
  unlike: (id: string, token?: string) => t.call('DELETE core/essay/cmt/like', { id }, { token }),
  list: (essayId: string, token?: string, more: object = {}) =>
    t.call('GET core/essay/cmt', { essayId, ...more }, { token }),
  replies: (cmtId: string, token?: string, more: object = {}) =>
    t.call('GET core/essay/cmt/reply', { cmtId, ...more }, { token }),
  moderate: (id: string, status: Input<'PUT core/sys/comment/'>['status'], token?: string, reason?: string) =>
    t.call('PUT core/sys/comment/', { id, status, ...(reason === undefined ? {} : { reason }) }, { token }),
  block: (userId: string, token: string) => t.call('POST core/user/block', { userId }, { token }),
  /** Notices about other users' actions, newest first. */
  notices: async (token: string) =>
    (await t.call('GET core/user/notice', { pageSize: 100 }, { token })).data.list.filter(
      (each) => each.count > 0,
    ),
  cmtCount: async (id: string) => {
    const { rows } = await t.app.services.pool.query('select cmt_count from essays where id = $1', [id]);
    return rows[0]?.cmt_count as number;
  },
  addSensitiveWord: async (word: string, level: WordLevel) => {
    const response = await callAsAdmin(t, 'POST core/sys/word/', { word, level });
    expect(response.success).toBe(true);
  },
});

export const contentsOf = (list: (Comment | Reply)[]) => list.map((each) => each.content);

export async function expectCorrectCounters(t: TestApp): Promise<void> {
  const { rows } = await t.app.services.pool.query(`
    select 'essay' as what, id from essays
      where cmt_count <> (select count(*) from comments where essay_id = essays.id and status = ${COMMENT_STATUS.visible})
    union all select 'list', id from essays
      where coalesce((select count from comment_counts where essay_id = essays.id), 0) <> (
        select count(*) from comments
        where essay_id = essays.id and root_id is null and (status = ${COMMENT_STATUS.visible} or reply_count > 0))
    union all select 'replies', id from comments as root
      where reply_count <> (select count(*) from comments where root_id = root.id and status = ${COMMENT_STATUS.visible})
    union all select 'likes', id from comments
      where like_count <> (select count(*) from comment_likes where comment_id = comments.id)
    union all select 'place', id from comments as root
      where status = ${COMMENT_STATUS.deleted} and not exists (select 1 from comments where root_id = root.id)`);
  expect(rows).toEqual([]);
}
