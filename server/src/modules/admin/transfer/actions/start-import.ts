import { isOn } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import {
  type CheckResult,
  type ImportCheck,
  type ImportMapping,
  importMapping,
  type startImport as startCall,
} from '@mozhan/contract/import-checks.ts';
import type { z } from 'zod';
import type { Ctx } from '../../../../ctx.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import * as checks from '../queries/checks.ts';
import * as queries from '../queries/runs.ts';
import { listCategories } from '../queries/targets.ts';
import { toTransfer } from '../views.ts';
import { changeTransfer, refusedError, requireNoneRunning } from './requests.ts';
import { queueRun } from './run-transfer.ts';

/** Each name must be one of the archive, once. */
function checkNames(field: keyof ImportMapping, names: readonly string[], known: readonly string[]): void {
  const left = new Set(known);
  for (const name of names) {
    if (left.delete(name)) continue;
    const isRepeated = known.includes(name);
    throw invalidField(field, isRepeated ? `「${name}」出现了两次` : `文件里没有「${name}」`);
  }
}

async function checkCategories(ctx: Ctx, { categories, categoryId }: ImportMapping): Promise<void> {
  const known = new Set((await listCategories(ctx.db)).map(({ id }) => id));
  if (categoryId !== null && !known.has(categoryId)) throw invalidField('categoryId', '没有这个分类');
  for (const entry of categories)
    if (entry.to === 'category' && !known.has(entry.categoryId ?? ''))
      throw invalidField('categories', `请选择「${entry.name}」对应的分类`);
}

async function checkAuthors(ctx: Ctx, { authorId, allTo, authors }: ImportMapping): Promise<void> {
  const mapped = authors.filter(({ to }) => to === 'user');
  const ids = [authorId, allTo, ...mapped.map(({ userId }) => userId)].filter((id) => id != null);
  const usable = new Set((await checks.listUsableAuthors(ctx.db, ids)).map(({ id }) => id));
  if (authorId !== null && !usable.has(authorId)) throw invalidField('authorId', '请选择一位可用的作者');
  if (allTo !== null && !usable.has(allTo)) throw invalidField('allTo', '请选择一位可用的作者');
  for (const { account, userId = '' } of mapped)
    if (!usable.has(userId)) throw invalidField('authors', `请给「${account}」选择一位可用的作者`);
}

async function checkMapping(ctx: Ctx, mapping: ImportMapping, result: CheckResult): Promise<void> {
  const { categories, authors, sections, membersAs, paidAs, price } = mapping;
  checkNames(
    'categories',
    categories.map(({ name }) => name),
    result.categories.map(({ name }) => name),
  );
  checkNames(
    'authors',
    authors.map(({ account }) => account),
    result.authors.map(({ account }) => account),
  );
  checkNames(
    'sections',
    sections.map(({ name }) => name),
    result.sections.map(({ name }) => name),
  );
  if (price === 0 && (membersAs === 'buy' || paidAs === 'buy')) throw invalidField('price', '请填写价格');
  await checkCategories(ctx, mapping);
  await checkAuthors(ctx, mapping);
}

/** Only the first of several requests starts the import. */
export const startImport = (
  ctx: Ctx,
  { id, ...given }: z.output<typeof startCall.input>,
): Promise<queries.TransferWithUsers> =>
  changeTransfer(ctx, id, async (ctx, row) => {
    const check = row.status === 'ready' ? await checks.findCheck(ctx.db, id) : null;
    if (row.status === 'checking') throw refusedError('还在检查，请稍候');
    if (check === null) throw refusedError('这次导入已经开始，或已经结束');
    if (row.filePath === null) throw refusedError('上传的文件已不在，请重新上传');
    const mapping = importMapping.parse({ ...check.mapping, ...given });
    await checkMapping(ctx, mapping, check.result);
    await requireNoneRunning(ctx, 'import');
    await checks.updateCheck(ctx.db, id, { mapping, started: true });
    await queueRun(ctx, id);
    const { categoryId, asDrafts, fetchPictures } = mapping;
    return {
      status: 'waiting',
      authorId: mapping.authorId,
      options: {
        ...(categoryId === null ? {} : { categoryId }),
        asDrafts: isOn(asDrafts, false),
        fetchPictures: isOn(fetchPictures, true),
      },
      total: 0,
      done: 0,
      aliveAt: ctx.now,
      runner: null,
      failures: 0,
    };
  });

const userIdsOf = ({ authorId, allTo, authors }: ImportMapping): string[] =>
  [authorId, allTo, ...authors.map(({ userId }) => userId)].filter((id) => id != null);

export async function getImportCheck(ctx: Ctx, id: string): Promise<ImportCheck> {
  const transfer = await queries.getTransfer(ctx.db, id);
  const check = await checks.findCheck(ctx.db, id);
  if (check === null || transfer.transfer.status === 'checking')
    throw new CallError('TRANSFER_REFUSED', { message: '这次导入没有检查，或还没有检查完' });
  const users = await checks.listUsers(ctx.db, userIdsOf(check.mapping));
  return {
    ...check.result,
    transfer: toTransfer(transfer, ctx.now),
    mapping: check.mapping,
    isRepeated: check.repeated,
    users: users.map((user) => toUserCard(user, ctx.now)),
  };
}
