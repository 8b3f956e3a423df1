/** Asks for one page again and again from a process of its own, and tells how long each answer took. */
import { Agent, request } from 'node:http';

export interface Probe {
  url: string;
  address: string;
  /** From one request to the next, however long answers take: a server that stands still is seen by all of them. */
  everyMs: number;
  forMs: number;
}

/** An answer that takes longer counts as none. */
const MAX_MS = 20_000;

const agent = new Agent({ keepAlive: true, maxSockets: 100 });

/** A request that fails, or is refused, counts as one that was never answered. */
const ask = ({ url, address }: Probe): Promise<number> =>
  new Promise((resolve) => {
    const since = performance.now();
    request(
      url,
      {
        agent,
        headers: { 'accept-encoding': 'br', 'x-forwarded-for': address },
        signal: AbortSignal.timeout(MAX_MS),
      },
      (response) => {
        response.resume();
        response.on('end', () =>
          resolve(response.statusCode === 200 ? performance.now() - since : Number.POSITIVE_INFINITY),
        );
      },
    )
      .on('error', () => resolve(Number.POSITIVE_INFINITY))
      .end();
  });

process.on('disconnect', () => process.exit());
process.on('message', async (probe: Probe) => {
  const answers: Promise<number>[] = [];
  const timer = setInterval(() => answers.push(ask(probe)), probe.everyMs);
  await new Promise((resolve) => setTimeout(resolve, probe.forMs));
  clearInterval(timer);
  process.send?.(await Promise.all(answers));
});
