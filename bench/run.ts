import { readFile } from 'node:fs/promises';
import autocannon from 'autocannon';
import { ADMIN_PASSWORD, type Running, startBare, startMozhan, startUncached } from './servers.ts';

const ROUNDS = 5;
const SECONDS = 4;

interface Load {
  path: string;
  headers: Record<string, string>;
  connections: number;
}

async function requestsPerSecond(server: Running, { path, headers, connections }: Load): Promise<number> {
  const result = await autocannon({
    url: server.url + path,
    headers,
    connections,
    duration: SECONDS,
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} errors`);
  return result.requests.total / result.duration;
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const rounded = (value: number) => Math.round(value).toLocaleString('en');

interface Outcome {
  name: string;
  ours: number;
  bare: number;
  ratio: number;
  least: number;
}

/** Ours and the bare server by turns, so that whatever else the machine does falls on both. */
async function compare(name: string, ours: Running, load: Load, least: number): Promise<Outcome> {
  const response = await rawFetch(ours.url + load.path, load.headers);
  const bare = await startBare(response);
  const rates: { ours: number; bare: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const rate = { bare: await requestsPerSecond(bare, load), ours: await requestsPerSecond(ours, load) };
    // The first round warms both up.
    if (round > 0) rates.push(rate);
  }
  await bare.stop();
  return {
    name,
    ours: median(rates.map((rate) => rate.ours)),
    bare: median(rates.map((rate) => rate.bare)),
    ratio: median(rates.map((rate) => rate.ours / rate.bare)),
    least,
  };
}

/** The bytes as they travel: `fetch` would unpack a compressed body. */
async function rawFetch(url: string, headers: Record<string, string>): Promise<Response> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    request(url, { headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const received = new Headers();
        for (const [key, value] of Object.entries(incoming.headers)) received.set(key, String(value));
        resolve(
          new Response(Buffer.concat(chunks), { status: incoming.statusCode ?? 200, headers: received }),
        );
      });
    })
      .on('error', reject)
      .end();
  });
}

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
    console.log('\n| scenario | ours, req/s | bare Node, req/s | ratio | goal |\n|---|---:|---:|---:|---:|');
    for (const { name, ours, bare, ratio, least } of outcomes) {
      console.log(
        `| ${name} | ${rounded(ours)} | ${rounded(bare)} | ${ratio.toFixed(2)} | ${least || '–'} |`,
      );
    }
    console.log(`\nidle memory of the server: ${idle.toFixed(0)} MB (goal: 180)`);
    const missed = outcomes.filter((outcome) => outcome.ratio < outcome.least);
    if (missed.length > 0) process.exitCode = 1;
  } finally {
    await ours.stop();
  }
}

await main();
