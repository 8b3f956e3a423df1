import { join } from 'node:path';
import { startEmbedded } from '@mozhan/postgres';
import { createApp } from '@mozhan/server/app.ts';
import { readConfig } from '@mozhan/server/config/config.ts';
import { createPool } from '@mozhan/server/db/client.ts';
import { migrate } from '@mozhan/server/db/migrate.ts';
import type { CachedPage, PageCache } from '@mozhan/server/http/page-cache.ts';
import { builtSite } from '@mozhan/server/http/pages.ts';

/**
 * The server without its page cache: every page is rendered for each request, as after a change of its essay. Data that
 * other pages share, such as the site's settings, is cached as usual.
 */
const dataDir = process.argv[2] ?? '';
const { connection, stop } = await startEmbedded({
  dataDir,
  notify: () => {},
  systemDir: join(dataDir, 'system'),
});
const pool = createPool(connection);
await migrate(pool).finally(() => pool.end());
const config = readConfig({ DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'warn' });
const app = await createApp({
  config: { ...config, siteUrl: 'http://127.0.0.1' },
  connection,
  site: (server) => builtSite(server, ''),
});
const { pages } = app.services;
Object.assign(pages, {
  getFresh: () => undefined,
  get(key: string, render: () => Promise<CachedPage>) {
    const essay = /detail\/([0-9a-f]{32})/.exec(key)?.[1];
    if (essay !== undefined) pages.invalidate([`essay:${essay}`]);
    else if (key.startsWith('/')) pages.invalidate(['essays']);
    return render();
  },
} satisfies Partial<PageCache>);
await app.server.listen({ port: 0, host: '127.0.0.1' });
process.send?.(app.server.server.address());
async function end(): Promise<never> {
  await app.close();
  await stop();
  process.exit(0);
}
process.on('SIGTERM', end);
// The parent process has exited.
process.on('disconnect', end);
