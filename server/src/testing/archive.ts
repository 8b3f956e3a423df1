import type {
  Archive,
  Format,
  ImportedEssay,
  ImportedItem,
  ImportedPage,
  ImportedSite,
  Upload,
} from '../modules/admin/transfer/formats/types.ts';

/** An archive in memory; all files have the same time. */
export const createArchive = (files: Record<string, string>): Archive & Upload => ({
  names: () => Object.keys(files),
  has: (name) => Object.hasOwn(files, name),
  modifiedAt: () => Date.UTC(2020, 0, 2),
  readContent: async (name) => new TextEncoder().encode(files[name]).buffer,
  readText: async (name) => files[name] ?? '',
  readStart: async (name) => files[name] ?? '',
});

export interface ReadItems {
  essays: Map<string, ImportedEssay>;
  pages: Map<string, ImportedPage>;
  skipped: Record<string, string>;
  site: ImportedSite | undefined;
}

export async function readAll(format: Format, archive: Archive): Promise<ReadItems> {
  const all: ImportedItem[] = [];
  for await (const item of format.read(archive)) all.push(item);
  return {
    essays: new Map(all.flatMap((item) => (item.kind === 'essay' ? [[item.key, item]] : []))),
    pages: new Map(all.flatMap((item) => (item.kind === 'page' ? [[item.key, item]] : []))),
    skipped: Object.fromEntries(
      all.flatMap((item) => (item.kind === 'skipped' ? [[item.key, item.skipped]] : [])),
    ),
    site: all.find((item) => item.kind === 'site'),
  };
}
