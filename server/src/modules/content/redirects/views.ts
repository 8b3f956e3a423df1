import type { MissingPath, Redirect } from '@mozhan/contract/redirects.ts';
import { essayPathOf } from '../essays/index.ts';
import type { RedirectWithEssay } from './queries/redirects.ts';
import { formatAddress } from './rules/addresses.ts';
import type { MissingPathRow } from './tables.ts';

export const toRedirect = ({ redirect, essay }: RedirectWithEssay): Redirect => ({
  id: redirect.id,
  path: formatAddress(redirect),
  target: essay === null ? (redirect.target ?? '') : essayPathOf(essay),
  essay: essay && { id: essay.id, title: essay.title, removed: essay.deletedAt !== null },
  transferId: redirect.transferId,
  hits: redirect.hits,
  lastHitAt: redirect.hits === 0 ? null : redirect.lastHitAt.toISOString(),
  createdAt: redirect.createdAt.toISOString(),
  updatedAt: redirect.updatedAt.toISOString(),
});

export const toMissingPath = ({ id, path, hits, firstAt, lastAt }: MissingPathRow): MissingPath => ({
  id,
  path,
  hits,
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
});
