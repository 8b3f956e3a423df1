import autocannon from 'autocannon';
import { type RunningServer, startBare } from './servers.ts';

const ROUNDS = 5;
const SECONDS = 4;

export interface Load {
  path: string;
  /** Requested in rotation with a different start per connection, because the server shares concurrent results. */
  paths?: string[];
  headers: Record<string, string>;
  connections: number;
}

async function requestsPerSecond(
  server: RunningServer,
  { path, paths, headers, connections }: Load,
): Promise<number> {
  const result = await autocannon({
    url: server.url + path,
    headers,
    connections,
    duration: SECONDS,
    ...(paths === undefined ? {} : { setupClient: (client) => client.setRequests(rotated(paths)) }),
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} errors`);
  return result.requests.total / result.duration;
}

function rotated(paths: string[]): { method: 'GET'; path: string }[] {
  const start = Math.floor(Math.random() * paths.length);
  return [...paths.slice(start), ...paths.slice(0, start)].map((path) => ({ method: 'GET', path }));
}

export const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const rounded = (value: number) => Math.round(value).toLocaleString('en');

export interface BenchResult {
  name: string;
  ours: number;
  bare: number;
  ratio: number;
  least: number;
}

/** Alternates between both servers, so that other load affects both equally. */
export async function compare(
  name: string,
  ours: RunningServer,
  load: Load,
  least: number,
): Promise<BenchResult> {
  const response = await rawFetch(ours.url + load.path, load.headers);
  const bare = await startBare(response);
  const rates: { ours: number; bare: number }[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const rate = { bare: await requestsPerSecond(bare, load), ours: await requestsPerSecond(ours, load) };
      // The first round is a warm-up.
      if (round > 0) rates.push(rate);
    }
  } finally {
    await bare.stop();
  }
  return {
    name,
    ours: median(rates.map((rate) => rate.ours)),
    bare: median(rates.map((rate) => rate.bare)),
    ratio: median(rates.map((rate) => rate.ours / rate.bare)),
    least,
  };
}

/** Returns the raw bytes, because `fetch` would decompress the body. */
export async function rawFetch(url: string, headers: Record<string, string>): Promise<Response> {
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

export function report(results: BenchResult[]): void {
  console.log('\n| scenario | ours, req/s | bare Node, req/s | ratio | goal |\n|---|---:|---:|---:|---:|');
  for (const { name, ours, bare, ratio, least } of results) {
    console.log(`| ${name} | ${rounded(ours)} | ${rounded(bare)} | ${ratio.toFixed(2)} | ${least || '–'} |`);
  }
  if (results.some((result) => result.ratio < result.least)) process.exitCode = 1;
}

/** Durations of sequential runs in milliseconds. */
export async function measureTimes(count: number, work: (at: number) => Promise<unknown>): Promise<number[]> {
  const durations: number[] = [];
  for (let at = 0; at < count; at++) {
    const since = performance.now();
    await work(at);
    durations.push(performance.now() - since);
  }
  return durations;
}

export function quantile(numbers: number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
