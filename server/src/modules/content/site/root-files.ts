import type { Services } from '../../../ctx.ts';
import { systemCtx } from '../../../jobs.ts';
import { getSearchEngines } from './actions/search-engines.ts';

const NAME = /^\/([\w-]{1,80}\.(html|txt|xml))$/;
const types: Record<string, string> = { html: 'text/html', txt: 'text/plain', xml: 'application/xml' };

interface RootFile {
  type: string;
  content: string;
}

/** Finds the files by which search engines recognize the owner of the site; called where a 404 would follow. */
export const createRootFileFinder =
  (services: Services) =>
  async (path: string): Promise<RootFile | null> => {
    const [, name, extension = ''] = NAME.exec(path) ?? [];
    if (name === undefined) return null;
    const { files } = await getSearchEngines(systemCtx(services));
    const file = files.find((each) => each.name === name);
    return file === undefined
      ? null
      : { type: `${types[extension] ?? 'text/plain'}; charset=utf-8`, content: file.content };
  };
