import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { calls } from '@mozhan/contract/calls.ts';
import type { RouteName } from '@mozhan/contract/client.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { routeNameOf } from '@mozhan/contract/define.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import { TOTP } from 'otpauth';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemCtx } from '../jobs.ts';
import { checkCounters, checkLedger } from '../modules/admin/system/index.ts';
import { createEncryption } from '../secrets/encryption.ts';
import { protectSecrets, secretContextOf } from '../secrets/secrets.ts';
import { PASSWORD, startTestApp, TEST_KEY, type TestApp } from '../testing/app.ts';
import { testConfig } from '../testing/config.ts';
import { createTestDatabase } from '../testing/database.ts';
import { loadDump } from '../testing/dump.ts';
import { describeSchema } from '../testing/schema.ts';
import { compareTables, hashTables, type TableChange, type TableHashes } from '../testing/table-hashes.ts';
import { createPool } from './client.ts';
import { compareMigrations, migrate } from './migrate.ts';

/** 0047 renames the tables of pages, adds the row of the navigation, and renames and moves the menus of pages. */
const pageTables: Record<string, TableChange> = {
  info_pages: { removed: 6 },
  pages: { added: 6 },
  info_page_versions: { removed: 3 },
  page_versions: { added: 3 },
  navigation: { added: 1 },
  menus: { added: 1, changed: ['parent_id', 'name', 'sort'] },
};

/** 0055 records where files are used, and how much each user has stored. */
const mediaTables: Record<string, TableChange> = { upload_uses: { added: 9 }, upload_totals: { added: 3 } };

/** 0064 adds the row with the version of the search terms; 0068 starts a run that indexes all essays again. */
const searchTables: Record<string, TableChange> = {
  search_term_lists: { added: 1 },
  reindex_runs: { added: 1 },
};

/**
 * Changes that later migrations make to the rows of a fixture. Everything else must stay unchanged apart from new columns,
 * also in tables with added or removed rows. Rows of a renamed table count as removed and added.
 */
const intended: Record<string, Record<string, TableChange>> = {
  '0037_sign_in_guards.sql.gz': {
    essays: { changed: ['hot_score'] },
    // 0039: a reply resets the limit.
    contacts: { changed: ['unanswered'] },
    // 0041 keeps the newest notice of each conversation.
    notices: { removed: 1 },
    notice_actors: { removed: 1 },
    notice_counts: { changed: ['total'] },
    // 0042 hides the links beside headings from screen readers, and removes tags that no essay has.
    essay_texts: { changed: ['html'] },
    essay_locked_texts: { changed: ['html'] },
    tags: { removed: 2 },
    // 0043 queues all users for indexing.
    unindexed_people: { added: 11 },
    ...pageTables,
    ...mediaTables,
    ...searchTables,
  },
  '0044_revision_words.sql.gz': {
    // 0066: essays below the floor come after all others.
    essays: { changed: ['hot_score'] },
    ...pageTables,
    ...mediaTables,
    ...searchTables,
  },
};

const folder = join(import.meta.dirname, 'fixtures');

/** Read calls without required input: most lists of the back office and of the own account. */
const readCalls = calls.filter(
  ({ method, path, input }) => method === 'GET' && !path.includes('{') && input.safeParse({}).success,
);

let schema: string[];
beforeAll(async () => {
  const fresh = await createTestDatabase();
  const pool = createPool(fresh.connection);
  schema = await describeSchema(pool);
  await pool.end();
  await fresh.drop();
});

describe.each(readdirSync(folder).filter((name) => name.endsWith('.sql.gz')))(
  'a populated site of %s',
  (file) => {
    let database: Awaited<ReturnType<typeof createTestDatabase>>;
    let pool: pg.Pool;
    let clock: Date;
    let before: Map<string, TableHashes>;
    beforeAll(async () => {
      database = await createTestDatabase({ state: 'bare' });
      pool = createPool(database.connection);
      clock = await loadDump(pool, join(folder, file));
      before = await hashTables(pool);
      await migrate(pool);
    });
    afterAll(async () => {
      await pool.end();
      await database.drop();
    });

    test('has rows in every table', () => {
      const empty = [...before].filter(([, { count }]) => count === 0).map(([name]) => name);
      expect(empty).toEqual([]);
    });

    test('keeps its rows through all later migrations, except for the intended changes', async () => {
      expect(await compareMigrations(pool)).toEqual({ missing: [], unknown: [] });
      expect(compareTables(before, await hashTables(pool))).toEqual(intended[file] ?? {});
    });

    test('has the same schema as a new site', async () => {
      expect(schema.length).toBeGreaterThan(1000);
      expect(await describeSchema(pool)).toEqual(schema);
    });

    describe('after the start', () => {
      let t: TestApp;
      beforeAll(async () => {
        const config = { paySandbox: true };
        await protectSecrets(testConfig(''), pool, () => {});
        t = await startTestApp({ connection: database.connection, startAt: clock, config });
      });
      afterAll(() => t.close());

      const signIn = async (account: string, more: object = {}) => {
        const response = await t.call('POST core/account/login', { account, password: PASSWORD, ...more });
        return { token: response.token, errorCode: response.errorCode };
      };

      test('has counters and books that agree', async () => {
        expect(await checkLedger(systemCtx(t.app.services))).toEqual([]);
        expect(await checkCounters(systemCtx(t.app.services))).toEqual([]);
      });

      test('decrypts second factors, webhook secrets and queued mails', async () => {
        const { rows } = await pool.query<{ id: string; totp: string; mail: string }>(
          `select user_id as id, totp_secret as totp, payload ->> 'encrypted' as mail
         from accounts, graphile_worker._private_jobs as jobs
         join graphile_worker._private_tasks as tasks on tasks.id = task_id
         where name = 'auditor' and identifier = 'send-mail'`,
        );
        const [{ id, totp: stored, mail } = { id: '', totp: '', mail: '' }] = rows;
        const { decrypt } = createEncryption([TEST_KEY]);
        const secret = decrypt(secretContextOf.totp(id), stored);
        const totp = new TOTP({ secret }).generate({ timestamp: t.app.services.clock().getTime() });
        expect((await signIn('auditor')).errorCode).toBe('TOTP_REQUIRED');
        expect((await signIn('auditor', { totp })).token).toBeDefined();
        expect(JSON.parse(decrypt(secretContextOf.job('send-mail'), mail))).toMatchObject({
          to: 'second@example.com',
        });
        const token = await t.signInAdmin();
        const { list } = (await t.call('GET core/sys/webhook/', {}, { token })).data;
        const webhook = await t.call('GET core/sys/webhook/secret', { id: list[0]?.id }, { token });
        expect(webhook.data.secret).toMatch(/^whsec_/);
      });

      test('returns every list that staff, a writer or a reader opens', async () => {
        type Filter = (call: (typeof readCalls)[number]) => boolean;
        const isAllowedFor =
          (...groups: string[]): Filter =>
          ({ access, path }) =>
            groups.includes(access) && !path.startsWith('core/sys/');
        const users: [token: string | undefined, mayCall: Filter][] = [
          [await t.signInAdmin(), () => true],
          [(await signIn('first-writer')).token, isAllowedFor('anyone', 'user', 'writer')],
          [(await signIn('first-reader')).token, isAllowedFor('anyone', 'user')],
        ];
        expect(readCalls.length).toBeGreaterThan(50);
        for (const [token, mayCall] of users) {
          const routes = readCalls.filter(mayCall).map((call) => routeNameOf(call) as RouteName);
          const responses = await Promise.all(routes.map((route) => t.call(route, {}, { token })));
          const failed = routes.filter((_, at) => !responses[at]?.success);
          expect(failed).toEqual([]);
        }
      });

      test('returns writers their essays in every status, with all versions', async () => {
        const statuses: number[] = [];
        for (const account of ['first-writer', 'second-writer']) {
          const { token } = await signIn(account);
          const { list } = (await t.call('GET core/essay/', { mine: 1, pageSize: 50 }, { token })).data;
          statuses.push(...list.map(({ status }) => status));
          for (const { id } of list) {
            const { version } = (await t.call('GET core/essay/{id}/source', { id }, { token })).data;
            const revisions = await t.call('GET core/essay/{id}/revision', { id }, { token });
            expect(revisions.data).toMatchObject({ total: version });
          }
        }
        expect([...new Set(statuses)].toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
      });

      test('returns readers essays with comments, their orders and purchases', async () => {
        const { data } = await t.call('GET core/essay/', { pageSize: 50 });
        expect(data.list.length).toBeGreaterThan(5);
        for (const { id } of data.list)
          expect((await t.call('GET core/essay/{id}', { id })).data.html).toMatch(/^</);
        const essayId = data.list.find(({ cmtCount }) => cmtCount > 3)?.id ?? '';
        const comments = (await t.call('GET core/essay/cmt', { essayId, sort: 'hot' })).data.list;
        expect(comments[0]).toMatchObject({ pinned: true, likeCount: 3, replyCount: 2, edited: true });
        expect(comments[0]?.replies.map(({ content }) => content)).toEqual(['谢谢', '同问']);
        const { token } = await signIn('first-reader');
        const orders = (await t.call('GET core/user/order', {}, { token })).data as Page<Order>;
        const kinds = orders.list.map(({ kind, status }) => `${kind} ${status}`);
        expect(kinds.toSorted()).toEqual(['column 1', 'read 1', 'recharge 0', 'recharge 1', 'reward 1']);
        const bought = orders.list.find(({ kind }) => kind === 'read')?.target?.id ?? '';
        const essay = await t.call('GET core/essay/{id}', { id: bought }, { token });
        expect(essay.data).toMatchObject({ locked: null, mine: { bought: true } });
      });
    });
  },
);
