import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { invalidField } from '@mozhan/contract/errors.ts';
import {
  type importRedirects as call,
  MAX_IMPORT_LINES,
  MAX_TARGET_LENGTH,
} from '@mozhan/contract/redirects.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, logChange } from '../../../../ctx.ts';
import { listAfter } from '../queries/redirects.ts';
import { CSV_HEADER, isHeader, parseCsvLine, toCsvLine } from '../rules/csv.ts';
import { toRedirect } from '../views.ts';
import { type GivenRedirect, storeRedirects } from './store.ts';

/** Lines that are checked and written together, which takes a few milliseconds of this process. */
const BATCH_SIZE = 50;
const MAX_PROBLEMS = 1000;
const MAX_LINE_LENGTH = 3 * MAX_TARGET_LENGTH;
const EXPORT_SIZE = 2000;
/** Small, because all lines of a part are separated at once. */
const READ_BYTES = 16 * 1024;

type Report = z.input<typeof call.output>;

interface Line {
  number: number;
  given: GivenRedirect;
}

function parseLine(text: string): GivenRedirect | string {
  if (text.includes('\ufffd')) return '文件不是 UTF-8 编码，请另存为 UTF-8 的 CSV';
  const [path = '', target = ''] = parseCsvLine(text);
  if (path === '' || target === '') return '要有旧网址和新网址两列';
  if (target.length > MAX_TARGET_LENGTH) return `新网址最多 ${MAX_TARGET_LENGTH} 个字`;
  return { path, target };
}

const readLines = (location: string) =>
  createInterface({ input: createReadStream(location, { highWaterMark: READ_BYTES }) });

/** Counted before the first line is stored, because storing takes most of the time. */
async function checkLineCount(location: string): Promise<void> {
  let count = 0;
  for await (const _ of readLines(location)) {
    count += 1;
    if (count > MAX_IMPORT_LINES)
      throw invalidField('file', `一次最多导入 ${MAX_IMPORT_LINES} 行，请分成几个文件`);
  }
}

/** Imports a CSV file in one transaction: a crash leaves nothing behind, and lines that are refused do not stop others. */
export async function importCsv(ctx: Ctx, { isOverwriting }: { isOverwriting: boolean }): Promise<Report> {
  const { file } = ctx;
  if (file === null) throw invalidField('file', '请选择要上传的文件');
  await checkLineCount(file.location);
  return inTransaction(ctx, async (ctx) => {
    const report: Report = { added: 0, updated: 0, refused: 0, problems: [] };
    const addProblem = (line: number, path: string, reason: string) => {
      report.refused += 1;
      if (report.problems.length < MAX_PROBLEMS)
        report.problems.push({ line, path: path.slice(0, 200), reason });
    };
    const store = async (lines: Line[]) => {
      const outcomes = await storeRedirects(
        ctx,
        lines.map(({ given }) => given),
        { transferId: null, existing: isOverwriting ? 'replace' : 'refuse' },
      );
      for (const [index, outcome] of outcomes.entries()) {
        const line = lines[index];
        if (outcome.kind !== 'refused') report[outcome.kind] += 1;
        else addProblem(line?.number ?? 0, line?.given.path ?? '', outcome.reason);
      }
    };
    let lines: Line[] = [];
    let number = 0;
    for await (const text of readLines(file.location)) {
      number += 1;
      if (text.length > MAX_LINE_LENGTH) {
        addProblem(number, text, '这一行太长');
        continue;
      }
      const content = number === 1 ? text.replace(/^\ufeff/, '') : text;
      if (content.trim() === '' || (number === 1 && isHeader(parseCsvLine(content)))) continue;
      const given = parseLine(content);
      if (typeof given === 'string') addProblem(number, content, given);
      else lines.push({ number, given });
      if (lines.length < BATCH_SIZE) continue;
      await store(lines);
      lines = [];
    }
    await store(lines);
    const { added, updated, refused } = report;
    if (added + updated > 0) logChange(ctx, 'redirect', null, { added, updated, refused });
    report.problems.sort((a, b) => a.line - b.line);
    return report;
  });
}

/** The next part of all redirects; only the first has the byte order mark and the header. */
export async function exportCsv(
  ctx: Ctx,
  after: string | null,
): Promise<{ csv: string; next: string | null }> {
  const rows = await listAfter(ctx.db, after, EXPORT_SIZE);
  const lines = rows.map((row) => {
    const { path, target, hits, lastHitAt, createdAt } = toRedirect(row);
    return toCsvLine([path, target, String(hits), lastHitAt ?? '', createdAt]);
  });
  const head = after === null ? `\ufeff${toCsvLine(CSV_HEADER)}` : '';
  const last = rows.length < EXPORT_SIZE ? undefined : rows.at(-1)?.redirect.id;
  return { csv: head + lines.join(''), next: last ?? null };
}
