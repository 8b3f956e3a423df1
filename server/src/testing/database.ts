import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestConnection } from './cluster.ts';

/**
 * Creates a database: `bare` is empty, `migrated` has the tables, `prepared` has gone through the first start. `copyOf`
 * copies another one that nobody is connected to.
 */
export async function createTestDatabase({
  state = 'migrated',
  copyOf,
}: {
  state?: 'bare' | 'migrated' | 'prepared';
  copyOf?: TestConnection;
} = {}): Promise<{ connection: TestConnection; drop(): Promise<void> }> {
  const { connection, template, prepared } = inject('cluster');
  const database = `${template}_${randomBytes(4).toString('hex')}`;
  const execute = async (...statements: string[]) => {
    const client = new pg.Client(connection);
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const from = { bare: 'template1', migrated: template, prepared }[state];
  await execute(`create database ${database} template ${copyOf?.database ?? from}`);
  return {
    connection: { ...connection, database },
    // `with (force)` fails during an autovacuum, which this role may not terminate; without it, the command waits.
    drop: () =>
      execute(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${database}' and usename = current_user`,
        `drop database if exists ${database}`,
      ),
  };
}
