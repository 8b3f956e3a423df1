import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Line {
  name: string;
  /** To a bare Node server in the same run; the larger, the better. Travels between machines as figures do not. */
  ratio: number;
  figures?: { rate: number; nodeMs: number; databaseMs: number; p99?: number };
  /** Where there is one figure only. */
  value?: string;
  goal: string;
}

const RATIOS = join(import.meta.dirname, 'ratios.json');
const RESULTS = join(import.meta.dirname, 'results.md');
/** Where the table is in `results.md`. */
const BEGIN = '<!-- npm run bench -->';
const END = '<!-- end -->';
/** A line that keeps less of its ratio has lost. */
const LEAST_KEPT = 0.85;

const precise = (ratio: number) => ratio.toPrecision(2);

export function table(lines: Line[]): string {
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

/** A sentence for each line that has lost against the ratio that was kept. */
export function findLosses(kept: Record<string, number>, lines: Pick<Line, 'name' | 'ratio'>[]): string[] {
  return lines.flatMap(({ name, ratio }) => {
    const before = kept[name];
    if (before === undefined || ratio >= before * LEAST_KEPT) return [];
    const lost = Math.round((1 - ratio / before) * 100);
    return `"${name}" has lost ${lost} %: ${precise(ratio)} of bare Node, was ${precise(before)}`;
  });
}

export const warnings = async (lines: Line[]): Promise<string[]> => findLosses(await readRatios(), lines);

/** Those that were measured; the others keep their ratios. The table is only written when it is whole. */
export async function keepLines(lines: Line[]): Promise<void> {
  const kept = await readRatios();
  const isWhole = Object.keys(kept).every((name) => lines.some((line) => line.name === name));
  for (const { name, ratio } of lines) kept[name] = Number(ratio.toPrecision(3));
  await writeFile(RATIOS, `${JSON.stringify(kept, null, 2)}\n`);
  const text = await readFile(RESULTS, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (!isWhole || begin < 0 || end < begin) return;
  await writeFile(RESULTS, `${text.slice(0, begin + BEGIN.length)}\n\n${table(lines)}\n\n${text.slice(end)}`);
}
