/** Child process that requests one page repeatedly and reports the response times. */
import { Agent, request } from 'node:http';

export interface Probe {
  url: string;
  address: string;
  /** Fixed interval independent of responses, so that a stall affects all requests in that time. */
  everyMs: number;
  forMs: number;
}

/** Slower responses count as failed. */
const MAX_MS = 20_000;

const agent = new Agent({ keepAlive: true, maxSockets: 100 });

/** Resolves to the duration, or to Infinity for a failed request. */
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
