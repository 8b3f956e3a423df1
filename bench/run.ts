import { readFile } from 'node:fs/promises';
import { compare, report } from './measure.ts';
import { ADMIN_PASSWORD, type Running, startMozhan, startUncached } from './servers.ts';

async function signIn(server: Running): Promise<string> {
  const response = await fetch(`${server.url}/api/core/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'admin', password: ADMIN_PASSWORD }),
  });
  return response.headers.get('token') ?? '';
}

async function megabytes(server: Running): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '');
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? Number.NaN) / 1024;
}

async function main(): Promise<void> {
  const ours = await startMozhan();
  try {
    await fetch(`${ours.url}/home`);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const idle = await megabytes(ours);
    const home = { path: '/home', headers: { 'accept-encoding': 'br' }, connections: 50 };
    const me = { path: '/api/core/user/', headers: { token: await signIn(ours) }, connections: 50 };
    const outcomes = [
      await compare('cached home page', ours, home, 0.5),
      await compare('GET core/user/', ours, me, 0.25),
    ];
    const uncached = await startUncached();
    // One at a time: pages asked for together are rendered together.
    outcomes.push(
      await compare('home page, rendered anew', uncached, { ...home, connections: 1 }, 0).finally(
        uncached.stop,
      ),
    );
    report(outcomes);
    console.log(`\nidle memory of the server: ${idle.toFixed(0)} MB (goal: 180)`);
  } finally {
    await ours.stop();
  }
}

await main();
