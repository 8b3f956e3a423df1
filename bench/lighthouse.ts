import { launch } from 'chrome-launcher';
import lighthouse, { type RunnerResult } from 'lighthouse';
import { findChromium } from '../scripts/chromium.ts';
import { startMozhan } from './servers.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
];
const MIN_SCORE = 98;
/** Odd, so that the median is one of the runs. */
const RUNS = 5;

type Report = RunnerResult['lhr'];
const scoreOf = ({ categories }: Report, name: string) => Math.round((categories[name]?.score ?? 0) * 100);
const figureOf = (report: Report, name: string) =>
  report.audits[name]?.displayValue ?? String(scoreOf(report, name));

// `BENCH_URL` is a running server.
const { BENCH_URL } = process.env;
const server = BENCH_URL ? { url: BENCH_URL, stop: async () => {} } : await startMozhan();
const chrome = await launch({
  chromePath: findChromium(),
  chromeFlags: ['--headless', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});

async function measure(page: string): Promise<Report> {
  const result = await lighthouse(server.url + page, {
    port: chrome.port,
    onlyCategories: [...CATEGORIES],
    logLevel: 'error',
  });
  if (result === undefined) throw new Error(`no report for ${page}`);
  return result.lhr;
}

/** Median by performance, because the other categories do not depend on load. */
function medianOf(reports: Report[]): Report {
  const sorted = reports.toSorted((a, b) => scoreOf(a, 'performance') - scoreOf(b, 'performance'));
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) throw new Error('nothing was measured');
  return median;
}

const failedAudits = ({ audits }: Report): string[] =>
  Object.values(audits)
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ title }) => title);

async function listPages(): Promise<string[]> {
  const answer = await fetch(`${server.url}/api/core/essay/?pageSize=1`);
  const { data } = (await answer.json()) as { data: { list: { id: string }[] } };
  const id = data.list[0]?.id;
  const all = [
    '/home',
    '/essay/tech.html',
    `/essay/detail/${id}.html`,
    `/essay/mdetail/${id}.html`,
    '/login.html',
  ];
  // `node bench/lighthouse.ts home` measures only pages whose path contains "home".
  const [filter = ''] = process.argv.slice(2);
  return all.filter((page) => page.includes(filter));
}

try {
  for (const page of await listPages()) {
    const reports: Report[] = [];
    for (let run = 0; run < RUNS; run++) reports.push(await measure(page));
    const median = medianOf(reports);
    console.log(page, CATEGORIES.map((name) => `${name} ${scoreOf(median, name)}`).join(', '));
    for (const name of ['performance', ...METRICS])
      console.log(`  ${name}: ${reports.map((report) => figureOf(report, name)).join(', ')}`);
    if (CATEGORIES.every((name) => scoreOf(median, name) >= MIN_SCORE)) continue;
    console.log(failedAudits(median).join('\n'));
    process.exitCode = 1;
  }
} finally {
  chrome.kill();
  await server.stop();
}
