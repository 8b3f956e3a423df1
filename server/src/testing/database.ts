import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestConnection } from './cluster.ts';

/** A migrated database of its own for one test file. */
export async function createTestDatabase(): Promise<{ connection: TestConnection; drop(): Promise<void> }> {
  const { connection, template } = inject('cluster');
  const database = `${template}_${randomBytes(4).toString('hex')}`;
  const execute = async (statement: string) => {
    const client = new pg.Client(connection);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await execute(`create database ${database} template ${template}`);
  return {
    connection: { ...connection, database },
    drop: () => execute(`drop database if exists ${database} with (force)`),
  };
}
