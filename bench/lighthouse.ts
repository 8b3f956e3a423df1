import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { findChromium } from '../scripts/chromium.ts';
import { startMozhan } from './servers.ts';

const PAGES = ['/home', '/login.html'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const LEAST = 98;

const server = await startMozhan();
const chrome = await launch({
  chromePath: findChromium(),
  chromeFlags: ['--headless=new', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});

/** Failed audits, so that a low score says what to do. */
function complaints(audits: Record<string, { score: number | null; title: string }>): string[] {
  return Object.values(audits)
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ title }) => title);
}

try {
  for (const page of PAGES) {
    const result = await lighthouse(server.url + page, {
      port: chrome.port,
      onlyCategories: [...CATEGORIES],
      logLevel: 'error',
    });
    if (result === undefined) throw new Error(`no report for ${page}`);
    const { categories, audits } = result.lhr;
    const scores = CATEGORIES.map(
      (name) => [name, Math.round((categories[name]?.score ?? 0) * 100)] as const,
    );
    console.log(page, scores.map(([name, score]) => `${name} ${score}`).join(', '));
    if (scores.every(([, score]) => score >= LEAST)) continue;
    console.log(complaints(audits).join('\n'));
    process.exitCode = 1;
  }
} finally {
  chrome.kill();
  await server.stop();
}
