// The tests run this file as a child process: it starts the database and prints one JSON line per event.
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
    notify: (message) => report('note', message),
    settings: { fsync: 'off' },
  });
  // Like the server, it completes open requests on Ctrl-C before it stops.
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
