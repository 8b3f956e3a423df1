import type { CheckCounts, CheckResult, Findings } from '@mozhan/contract/import-checks.ts';
import type { OpenArchive } from '../archive.ts';
import type { Analysis, FoundItem } from '../formats/analysis.ts';
import type { FormatName } from '../formats/formats.ts';
import { analyseFormat } from '../formats/read-format.ts';
import { upsertCheck } from '../queries/checks.ts';
import { listSources } from '../queries/sources.ts';
import type { TransferRow } from '../tables.ts';
import { analyseOwn } from './analyse-own.ts';
import { hashSource } from './foreign-sources.ts';
import { detectFormat, openUpload } from './import.ts';
import { withRetries } from './import-state.ts';
import { type Proposal, proposeMapping } from './propose-mapping.ts';
import type { Run } from './run.ts';

const MAX_LISTED = 100;

/** Files that the archive has and that cannot be read come first. */
function addRefusedFiles(given: Findings, { refused }: OpenArchive): Findings {
  const files = refused.map(({ name, reason }) => ({
    title: name.slice(0, 200).toWellFormed().replaceAll('\0', ''),
    reason,
  }));
  const reasons = Map.groupBy(files, ({ reason }) => reason);
  return {
    total: given.total + files.length,
    reasons: [...[...reasons].map(([reason, { length }]) => ({ reason, count: length })), ...given.reasons],
    list: [...files, ...given.list].slice(0, MAX_LISTED),
  };
}

type Existing = Pick<CheckCounts, 'existing' | 'changed'>;

async function countExisting(run: Run, found: FoundItem[], authorId: string | null): Promise<Existing> {
  const hashes = new Map(found.map((item) => [hashSource(item, authorId), item.contentHash]));
  const rows = await listSources(run.ctx().db, [...hashes.keys()]);
  const changed = rows.filter((row) => row.contentHash !== hashes.get(row.sourceHash));
  return { existing: rows.length, changed: changed.length };
}

async function analyseForeign(run: Run, archive: OpenArchive, format: FormatName) {
  const readContent: OpenArchive['readContent'] = (name, maxBytes) =>
    withRetries(run, () => archive.readContent(name, maxBytes));
  const total: Existing = { existing: 0, changed: 0 };
  let analysis: Analysis | null = null;
  let proposal: Proposal | null = null;
  for await (const part of analyseFormat(format, { ...archive, readContent })) {
    run.throwIfStopped();
    if ('count' in part) run.advance(part.count);
    else if ('analysis' in part) {
      ({ analysis } = part);
      proposal = await proposeMapping(run, { ...analysis, program: format });
    } else {
      const { existing, changed } = await countExisting(run, part.found, proposal?.mapping.authorId ?? null);
      total.existing += existing;
      total.changed += changed;
    }
  }
  if (analysis === null || proposal === null) throw new Error('the analysis has no result');
  const result: CheckResult = {
    ...analysis,
    program: format,
    counts: { ...analysis.counts, ...total },
    refused: addRefusedFiles(analysis.refused, archive),
  };
  return { result, proposal };
}

/** Finds out what an import would do, stores it with a proposed mapping, and changes nothing else. */
export async function analyseArchive(run: Run): Promise<Partial<TransferRow>> {
  const archive = await openUpload(run);
  const detected = await detectFormat(archive, run.row.format);
  let result: CheckResult;
  let proposal: Proposal;
  if ('root' in detected) {
    const own = await analyseOwn(run, archive, detected.root);
    result = { ...own, refused: addRefusedFiles(own.refused, archive) };
    proposal = await proposeMapping(run, result);
  } else ({ result, proposal } = await analyseForeign(run, archive, detected.format));
  run.throwIfStopped();
  await upsertCheck(run.ctx().db, { transferId: run.row.id, result, started: false, ...proposal });
  return { format: result.program };
}
