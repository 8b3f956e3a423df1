/**
 * `node bench/page-cache.ts`: sends the cached page of an essay (brotli, 50 connections) from the server alone, through
 * nginx, and through nginx with `deploy/nginx-page-cache.conf`, in turn. Server, database and nginx share one core, `wrk`
 * uses the other. Prints medians.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cpuTime, measureThroughput, SERVER_CORE } from './load.ts';
import { startNginx } from './machines/services.ts';
import { median } from './measure.ts';
import { type RunningServer, startMozhan, temporaryFolder } from './servers.ts';

const ROUNDS = 7;
const SECONDS = 3;

const folder = await temporaryFolder();
const server = await startMozhan(undefined, { TRUST_PROXY: '127.0.0.1' }, SERVER_CORE);
const port = Number(new URL(server.url).port);
const startProxy = async (name: string, cachesPages: boolean) => {
  const nginx = await startNginx(join(folder, name), [port, port], { cachesPages, core: SERVER_CORE });
  return { ...nginx, databasePid: 0 };
};
const plain = await startProxy('plain', false);
const caching = await startProxy('caching', true);

const ways: { name: string; front: RunningServer; rates: number[]; cpu: number[] }[] = [
  { name: 'server alone', front: server, rates: [], cpu: [] },
  { name: 'through nginx', front: plain, rates: [], cpu: [] },
  { name: 'through nginx with its cache', front: caching, rates: [], cpu: [] },
];
try {
  const list = await (await fetch(`${server.url}/api/core/essay/?pageSize=1`)).json();
  const path = `/essay/detail/${list.data.list[0].id}.html`;
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { front, rates, cpu } of ways) {
      const before = front === server ? 0 : (await cpuTime(front)).node;
      const load = { paths: [path], headers: { 'accept-encoding': 'br' }, connections: 50, seconds: SECONDS };
      const { rate, nodeMs } = await measureThroughput({ ...server, url: front.url }, load);
      const ofProxy = front === server ? 0 : ((await cpuTime(front)).node - before) / (rate * SECONDS);
      // The first round is a warm-up.
      if (round === 0) continue;
      rates.push(rate);
      cpu.push(nodeMs + ofProxy);
    }
  }
  console.log('| on one core | requests/s | ms of CPU |\n|---|---:|---:|');
  for (const { name, rates, cpu } of ways)
    console.log(
      `| ${name} | ${Math.round(median(rates)).toLocaleString('en')} | ${median(cpu).toFixed(3)} |`,
    );
} finally {
  for (const proxy of [plain, caching]) await proxy.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();
