import {
  type ChecklistEntry,
  type ChecklistEntryName,
  checklistEntryNames,
} from '@mozhan/contract/checklist.ts';
import { z } from 'zod';
import { type Ctx, inTransaction, logChange } from '../../../ctx.ts';
import { keyIdOf } from '../../../secrets/encryption.ts';
import { keyFilePath } from '../../../secrets/key-file.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { defaultCategoryNames } from '../../content/categories/index.ts';
import { findTestedAt } from '../../platform/mail-sms/index.ts';
import { findSetting, updateSetting } from '../../platform/settings/index.ts';
import { getFolder, getSchedule } from '../backups/index.ts';
import { findFacts } from './queries.ts';
import { canDoEntry, checkEntries } from './rules.ts';

const KEY = 'checklist';

/** A skipped entry is stored with the state that it was skipped in, so that it returns when that state changes. */
const stored = z.object({
  dismissed: z.boolean().default(false),
  ...(Object.fromEntries(
    checklistEntryNames.map((name) => [name, z.string().nullable().default(null)]),
  ) as Record<ChecklistEntryName, z.ZodDefault<z.ZodNullable<z.ZodString>>>),
});

const getStored = async (ctx: Ctx) => stored.parse((await findSetting(ctx.db, KEY)) ?? {});

/** A new key has to be copied again; other entries stay skipped. */
const skipMark = (ctx: Ctx, name: ChecklistEntryName): string =>
  name === 'secretKey' ? (keyIdOf(ctx.services.encryption.prefix) ?? '') : 'skipped';

export async function getChecklist(ctx: Ctx): Promise<{ dismissed: boolean; entries: ChecklistEntry[] }> {
  const viewer = requireSignedIn(ctx);
  const { config, mailer } = ctx.services;
  const [kept, facts, schedule, testedAt] = await Promise.all([
    getStored(ctx),
    findFacts(ctx.db),
    getSchedule(ctx),
    findTestedAt(ctx),
  ]);
  const statuses = checkEntries(facts, {
    now: ctx.now,
    schedule,
    backupFolder: getFolder(config),
    hasBackupCopies: config.backupS3 !== null,
    isMailConfigured: mailer !== null,
    isMailTested: testedAt !== null,
    keyFile: config.secretKey.length > 0 ? null : keyFilePath(config),
    defaultCategories: defaultCategoryNames,
  });
  const entries = checklistEntryNames
    .filter((name) => canDoEntry(viewer, name))
    .map((name): ChecklistEntry => {
      const { isDone, text } = statuses[name];
      const isSkipped = kept[name] === skipMark(ctx, name);
      return { name, state: isDone ? 'done' : isSkipped ? 'skipped' : 'todo', text };
    });
  return { dismissed: kept.dismissed, entries };
}

export function updateChecklist(
  ctx: Ctx,
  input: {
    dismissed?: boolean | undefined;
    skipped?: Partial<Record<ChecklistEntryName, boolean>> | undefined;
  },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const before = await getStored(ctx);
    const change = {
      ...(input.dismissed === undefined ? {} : { dismissed: input.dismissed }),
      ...Object.fromEntries(
        checklistEntryNames.flatMap((name) => {
          const isSkipped = input.skipped?.[name];
          return isSkipped === undefined ? [] : [[name, isSkipped ? skipMark(ctx, name) : null]];
        }),
      ),
    };
    await updateSetting(ctx, KEY, change);
    const pick = (all: object) => Object.fromEntries(Object.entries(all).filter(([name]) => name in change));
    logChange(ctx, 'setting:checklist', pick(before), change);
  });
}
