import { join } from 'node:path';
import type { Essay } from '@mozhan/contract/essays.ts';
import { startEmbedded } from '@mozhan/postgres';
import { createApp } from '@mozhan/server/app.ts';
import { readConfig } from '@mozhan/server/config/config.ts';
import { createPool } from '@mozhan/server/db/client.ts';
import { migrate } from '@mozhan/server/db/migrate.ts';
import type { CachedPage, PageCache } from '@mozhan/server/http/page-cache.ts';
import { builtSite } from '@mozhan/server/http/pages.ts';

/**
 * The server without its page cache: every page is rendered for each request, as after a change of its essay. Data that
 * other pages share, such as the site's settings, is cached as usual. The second argument tells what each request finds
 * changed in the essay, so that no cached fragment that shows it can be used.
 */
const [dataDir = '', changed = 'nothing'] = process.argv.slice(2);

const changes: Record<string, (essay: Essay, count: number) => Partial<Essay>> = {
  nothing: () => ({}),
  counters: ({ readCount, likeCount, cmtCount }, count) => ({
    readCount: readCount + count,
    likeCount: likeCount + count,
    cmtCount: cmtCount + count,
  }),
  everything: ({ title, html, toc }, count) => ({
    title: `${title} ${count}`,
    html: `${html}<p>${count}</p>`,
    toc: [...toc, { id: `section-${count}`, text: `${count}`, level: 2 }],
  }),
};
const change = changes[changed];
if (change === undefined) throw new Error(`unknown change: ${changed}`);

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
const { callResult } = pages;
let requests = 0;
Object.assign(pages, {
  getFresh: () => undefined,
  get(key: string, render: () => Promise<CachedPage>) {
    const essay = /detail\/([0-9a-f]{32})/.exec(key)?.[1];
    if (essay !== undefined) pages.invalidate([`essay:${essay}`]);
    else if (key.startsWith('/')) pages.invalidate(['essays']);
    return render();
  },
  async callResult(key, call) {
    const result = await callResult(key, call);
    if (!key.startsWith('GET core/essay/{id}{')) return result;
    requests += 1;
    const essay = result.value as Essay;
    return { ...result, value: { ...essay, ...change(essay, requests) } as typeof result.value };
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
