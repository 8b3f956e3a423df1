import autocannon from 'autocannon';
import { type Running, startBare } from './servers.ts';

const ROUNDS = 5;
const SECONDS = 4;

export interface Load {
  path: string;
  /** Asked for by turns, each connection beginning elsewhere: what is asked for at once is made once. */
  paths?: string[];
  headers: Record<string, string>;
  connections: number;
}

async function requestsPerSecond(
  server: Running,
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

export interface Outcome {
  name: string;
  ours: number;
  bare: number;
  ratio: number;
  least: number;
}

/** Ours and the bare server by turns, so that whatever else the machine does falls on both. */
export async function compare(name: string, ours: Running, load: Load, least: number): Promise<Outcome> {
  const response = await rawFetch(ours.url + load.path, load.headers);
  const bare = await startBare(response);
  const rates: { ours: number; bare: number }[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const rate = { bare: await requestsPerSecond(bare, load), ours: await requestsPerSecond(ours, load) };
      // The first round warms both up.
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

/** The bytes as they travel: `fetch` would unpack a compressed body. */
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

export function report(outcomes: Outcome[]): void {
  console.log('\n| scenario | ours, req/s | bare Node, req/s | ratio | goal |\n|---|---:|---:|---:|---:|');
  for (const { name, ours, bare, ratio, least } of outcomes) {
    console.log(`| ${name} | ${rounded(ours)} | ${rounded(bare)} | ${ratio.toFixed(2)} | ${least || '–'} |`);
  }
  if (outcomes.some((outcome) => outcome.ratio < outcome.least)) process.exitCode = 1;
}

/** How long each of so many takes, one after the other, in milliseconds. */
export async function times(count: number, work: (at: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let at = 0; at < count; at++) {
    const since = performance.now();
    await work(at);
    taken.push(performance.now() - since);
  }
  return taken;
}

export function quantile(numbers: number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
