import { asCallError, errorMessageOf, hasErrorCode } from '@mozhan/client/errors.ts';
import type { Client } from '@mozhan/contract/client.ts';
import {
  listRelativePictures,
  replacePictureLinks,
  resolvePath,
  toRelativeSitePictures,
} from './picture-links.ts';
import type { ImportFiles } from './read-files.ts';
import { type CategoryRef, type ParsedEssay, readMarkdown } from './read-markdown.ts';

export interface ImportResult {
  path: string;
  /** Null when no draft was created. */
  id: string | null;
  title: string;
  remarks: string[];
}

interface ImportSetup {
  api: Client;
  /** Whom staff import essays for; undefined for the user's own. */
  authorId: string | undefined;
  /** Includes the base path. */
  siteUrl: string;
  categories: readonly CategoryRef[];
  signal: AbortSignal;
  onProgress: (done: number) => void;
}

const MAX_WAIT_S = 900;
const MAX_ATTEMPTS = 5;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Importing hundreds of files exceeds the rate limit, so this waits and retries. */
async function retryWhenLimited<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const wait = hasErrorCode(error, 'TOO_MANY_REQUESTS') ? asCallError(error)?.retryAfter : undefined;
      if (wait === undefined || wait > MAX_WAIT_S || attempt === MAX_ATTEMPTS || signal.aborted) throw error;
      await pause(wait * 1000);
    }
  }
}

/** Uploads a picture that is used in several texts only once. */
function createPictureUploader({ api, signal }: ImportSetup, pictures: ImportFiles['pictures']) {
  const sent = new Map<string, Promise<string>>();
  return (path: string): Promise<string> | undefined => {
    const file = pictures.get(path);
    if (file === undefined) return undefined;
    const known = sent.get(path);
    if (known !== undefined) return known;
    const upload = () => api('POST core/minio/upload', { kind: 'image' }, { file, signal });
    const sending = retryWhenLimited(upload, signal).then((entry) => entry.path);
    sent.set(path, sending);
    return sending;
  };
}

type UploadPicture = ReturnType<typeof createPictureUploader>;

/** Uploads the relative pictures of a text and replaces their links. */
export async function uploadPictures(
  read: ParsedEssay,
  path: string,
  send: UploadPicture,
): Promise<ParsedEssay> {
  const { draft, skipped } = read;
  const remarks = [...skipped];
  const addresses = new Map<string, string>();
  for (const address of listRelativePictures(draft.content)) {
    const sending = send(resolvePath(path, address)) ?? send(address.replace(/^.*\//, ''));
    if (sending === undefined) {
      remarks.push(`没有找到图片 ${address}`);
      continue;
    }
    try {
      addresses.set(address, await sending);
    } catch (error) {
      remarks.push(`图片 ${address}：${errorMessageOf(error)}`);
    }
  }
  return { draft: { ...draft, content: replacePictureLinks(draft.content, addresses) }, skipped: remarks };
}

/** Creates one draft per text, one after the other; a failure does not stop the rest. */
export async function importEssays(pack: ImportFiles, setup: ImportSetup): Promise<ImportResult[]> {
  const { api, siteUrl, categories, authorId, signal, onProgress } = setup;
  const send = createPictureUploader(setup, pack.pictures);
  const done: ImportResult[] = [];
  for (const { path, text } of pack.texts) {
    if (signal.aborted) break;
    const { draft, skipped } = await uploadPictures(
      readMarkdown(toRelativeSitePictures(text, siteUrl), path, categories),
      path,
      send,
    );
    const { title } = draft;
    try {
      if (draft.content === '') throw new Error('empty');
      const { id } = await retryWhenLimited(
        () => api('POST core/essay/', { ...draft, authorId }, { signal }),
        signal,
      );
      done.push({ path, id, title, remarks: skipped });
    } catch (error) {
      const reason = draft.content === '' ? '正文是空的，没有导入' : errorMessageOf(error);
      done.push({ path, id: null, title, remarks: [...skipped, reason] });
    }
    onProgress(done.length);
  }
  return done;
}

export function parseForEditor(pack: ImportFiles, setup: ImportSetup): Promise<ParsedEssay> | null {
  const [only] = pack.texts;
  if (only === undefined) return null;
  const read = readMarkdown(toRelativeSitePictures(only.text, setup.siteUrl), only.path, setup.categories);
  return uploadPictures(read, only.path, createPictureUploader(setup, pack.pictures));
}
