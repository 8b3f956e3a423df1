import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ResultLine {
  name: string;
  /** Ratio to a bare Node server in the same run; larger is better, and comparable between machines. */
  ratio: number;
  figures?: { rate: number; nodeMs: number; databaseMs: number; p99?: number };
  value?: string;
  goal: string;
}

const RATIOS = join(import.meta.dirname, 'ratios.json');
const RESULTS = join(import.meta.dirname, 'results.md');
/** Markers of the table in `results.md`. */
const BEGIN = '<!-- npm run bench -->';
const END = '<!-- end -->';
/** A smaller share of the stored ratio is a regression. */
const MIN_SHARE = 0.85;

const precise = (ratio: number) => ratio.toPrecision(2);

export function table(lines: ResultLine[]): string {
  const rows = lines.map(({ name, ratio, figures, value, goal }) => {
    const cells =
      figures === undefined
        ? [value, precise(ratio), '–', '–', '–']
        : [
            Math.round(figures.rate).toLocaleString('en'),
            precise(ratio),
            figures.nodeMs.toFixed(2),
            figures.databaseMs.toFixed(2),
            figures.p99?.toFixed(1) ?? '–',
          ];
    return `| ${[name, ...cells, goal].join(' | ')} |`;
  });
  return [
    '| on one core | requests/s | of bare Node | ms of Node | ms of PostgreSQL | p99, ms | goal |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

async function readRatios(): Promise<Record<string, number>> {
  const text = await readFile(RATIOS, 'utf8').catch(() => '{}');
  return JSON.parse(text) as Record<string, number>;
}

/** One message for each regression against the stored ratios. */
export function findRegressions(
  stored: Record<string, number>,
  lines: Pick<ResultLine, 'name' | 'ratio'>[],
): string[] {
  return lines.flatMap(({ name, ratio }) => {
    const before = stored[name];
    if (before === undefined || ratio >= before * MIN_SHARE) return [];
    const lost = Math.round((1 - ratio / before) * 100);
    return `"${name}" has lost ${lost} %: ${precise(ratio)} of bare Node, was ${precise(before)}`;
  });
}

export const readRegressions = async (lines: ResultLine[]): Promise<string[]> =>
  findRegressions(await readRatios(), lines);

/** Stores the ratios of measured lines. Writes the table only when all lines were measured. */
export async function storeLines(lines: ResultLine[]): Promise<void> {
  const stored = await readRatios();
  const isComplete = Object.keys(stored).every((name) => lines.some((line) => line.name === name));
  for (const { name, ratio } of lines) stored[name] = Number(ratio.toPrecision(3));
  await writeFile(RATIOS, `${JSON.stringify(stored, null, 2)}\n`);
  const text = await readFile(RESULTS, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (!isComplete || begin < 0 || end < begin) return;
  await writeFile(RESULTS, `${text.slice(0, begin + BEGIN.length)}\n\n${table(lines)}\n\n${text.slice(end)}`);
}
