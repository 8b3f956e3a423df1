import { countGhost, countHalo, countTypecho, countWordPress } from './exports.ts';
import { countHexo, countHugo, countJekyll, countMarkdown } from './folders.ts';
import { type SourceCounts, type SourceFiles, textOf } from './source.ts';

const EXPORTS: readonly [RegExp, RegExp, (files: SourceFiles, names: readonly string[]) => SourceCounts][] = [
  [/\.xml$/i, /wordpress\.org\/export/, countWordPress],
  [/(?:^|\/)extensions\.data$/, /./, countHalo],
  [/\.json$/i, /"posts"\s*:\s*\[/, countGhost],
  [/\.sql$/i, /INSERT INTO\s+\S*contents/i, countTypecho],
];

/** Finds the exports or the folder of a program among the files; of several exports the largest comes first. */
export function countSource(files: SourceFiles): SourceCounts {
  const names = Object.keys(files);
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (has(/(?:^|\/)source\/_posts\//) && !has(/(?:^|\/)Rakefile$/)) return countHexo(files);
  if (has(/(?:^|\/)_posts\//)) return countJekyll(files);
  for (const [pattern, content, count] of EXPORTS) {
    const found = names
      .filter((each) => pattern.test(each) && content.test(textOf(files, each)))
      .toSorted((a, b) => (files[b]?.length ?? 0) - (files[a]?.length ?? 0));
    if (found.length > 0) return count(files, found);
  }
  if (has(/(?:^|\/)content\//)) return countHugo(files);
  return countMarkdown(files);
}
