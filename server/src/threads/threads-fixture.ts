export type FixtureJob =
  | { echo: string }
  | { hang: true }
  | { fill: true }
  | { fail: string }
  | { exit: true }
  | { wait: Int32Array };

// biome-ignore lint/style/noDefaultExport: what the thread pool calls
export default async function work(job: FixtureJob): Promise<string> {
  if ('echo' in job) return job.echo;
  if ('fail' in job) throw new Error(job.fail);
  if ('exit' in job) process.exit(1);
  if ('wait' in job) {
    Atomics.wait(job.wait, 0, 0);
    return 'waited';
  }
  // Hangs without using the processor.
  if ('hang' in job) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  const allocated: unknown[] = [];
  for (;;) allocated.push(Array.from({ length: 100_000 }, (_, number) => [number]));
}
