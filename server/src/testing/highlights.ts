import type { Input } from '@mozhan/contract/client.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayFields } from '@mozhan/contract/essays.ts';
import { systemCtx } from '../jobs.ts';
import { anchorHighlights } from '../modules/content/essays/actions/anchor-highlights.ts';
import { callAsAdmin } from './admin.ts';
import type { TestApp } from './app.ts';
import type { TestUser } from './essays.ts';

type HighlightInput = Input<'POST core/essay/highlight'>;

export const highlightCalls = (t: TestApp) => ({
  add: (essayId: string, exact: string, token?: string, more: Partial<HighlightInput> = {}) =>
    t.call('POST core/essay/highlight', { essayId, exact, ...more }, { token }),
  update: (id: string, more: object, token?: string) =>
    t.call('PUT core/essay/highlight', { id, ...more }, { token }),
  remove: (id: string, token?: string) => t.call('DELETE core/essay/highlight', { id }, { token }),
  list: (token?: string, more: object = {}) => t.call('GET core/essay/highlight', more, { token }),
  essays: (token?: string) => t.call('GET core/essay/highlight/essay', {}, { token }),
  marks: (essayId: string, token?: string) => t.call('GET core/essay/highlight/mark', { essayId }, { token }),
  thoughts: (essayId: string, start: number, end: number, token?: string) =>
    t.call('GET core/essay/cmt/thought', { essayId, start, end }, { token }),
  /** Runs the job that computes positions and passages. */
  anchor: (essayId: string) => anchorHighlights(systemCtx(t.app.services), essayId),
});

/** The author changes an essay on the shelf, and an auditor approves the change. */
export async function reviseEssay(
  t: TestApp,
  author: TestUser,
  id: string,
  fields: Partial<EssayFields>,
): Promise<void> {
  const { token } = author;
  const { data: source } = await t.call('GET core/essay/{id}/source', { id }, { token });
  const saved = await t.call('PUT core/essay/', { id, version: source.version, ...fields }, { token });
  if (!saved.success) throw new Error(`not saved: ${saved.errorMessage}`);
  const submitted = await t.call(
    'PUT core/essay/status',
    { id, status: ESSAY_STATUS.waiting, revision: true },
    { token },
  );
  if (!submitted.success) throw new Error(`not submitted: ${submitted.errorMessage}`);
  const approved = await callAsAdmin(t, 'PUT core/essay/status', {
    id,
    status: ESSAY_STATUS.onShelf,
    revision: true,
  });
  if (!approved.success) throw new Error(`not approved: ${approved.errorMessage}`);
}
