import type { SearchEngines } from '@mozhan/contract/search-engines.ts';

const types: Record<string, string> = { html: 'text/html', txt: 'text/plain', xml: 'application/xml' };

export interface RootFile {
  type: string;
  content: string;
}

/** Finds a file by which a search engine recognizes the owner of the site. */
export function findRootFile({ files }: SearchEngines, path: string): RootFile | null {
  const file = files.find(({ name }) => path === `/${name}`);
  if (file === undefined) return null;
  const type = types[file.name.slice(file.name.lastIndexOf('.') + 1)] ?? 'text/plain';
  return { type: `${type}; charset=utf-8`, content: file.content };
}
