// A process of its own for embedded.test.ts: starts the database and reports, one JSON line per event.
import pg from 'pg';
import { startEmbedded } from './embedded.ts';

const [dataDir = '', systemDir = ''] = process.argv.slice(2);

function report(event: string, detail: unknown): void {
  process.stdout.write(`${JSON.stringify([event, detail])}\n`);
}

try {
  const database = await startEmbedded({
    dataDir,
    systemDir,
    note: (sentence) => report('note', sentence),
    settings: { fsync: 'off' },
  });
  // As the server does on Ctrl-C: finish the requests, then stop.
  process.once('SIGINT', async () => {
    const client = new pg.Client(database.connection);
    await client.connect();
    const { rows } = await client.query('SELECT pg_sleep(0.3), 1 AS one');
    await client.end();
    report('finished', rows[0].one);
    await database.stop();
    process.exit(0);
  });
  report('ready', database.connection);
} catch (error) {
  report('failed', String(error));
  process.exitCode = 1;
}
