import { asCallError, hasCode, messageOf } from '@mozhan/client/errors.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { relativePictures, replacePictures, resolveFrom, withOwnPictures } from './pictures-in.ts';
import type { Pack } from './read-files.ts';
import { type Named, type ReadEssay, readMarkdown } from './read-markdown.ts';

export interface Imported {
  path: string;
  /** Null: it did not become a draft. */
  id: string | null;
  title: string;
  remarks: string[];
}

interface ImportSetup {
  api: Client;
  /** Base path included. */
  siteUrl: string;
  categories: readonly Named[];
  signal: AbortSignal;
  onProgress: (done: number) => void;
}

const LONGEST_WAIT_S = 900;
const ATTEMPTS = 5;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Hundreds of files go beyond what may be sent in ten minutes: then it waits for its turn. */
async function patiently<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const wait = hasCode(error, 'TOO_MANY_REQUESTS') ? asCallError(error)?.retryAfter : undefined;
      if (wait === undefined || wait > LONGEST_WAIT_S || attempt === ATTEMPTS || signal.aborted) throw error;
      await pause(wait * 1000);
    }
  }
}

/** A picture that several texts show is sent once. */
function createSender({ api, signal }: ImportSetup, pictures: Pack['pictures']) {
  const sent = new Map<string, Promise<string>>();
  return (path: string): Promise<string> | undefined => {
    const file = pictures.get(path);
    if (file === undefined) return undefined;
    const known = sent.get(path);
    if (known !== undefined) return known;
    const upload = () => api('POST core/minio/upload', { kind: 'image' }, { file, signal });
    const sending = patiently(upload, signal).then((entry) => entry.path);
    sent.set(path, sending);
    return sending;
  };
}

type Send = ReturnType<typeof createSender>;

/** The text with its pictures at their new addresses. */
export async function withPictures(read: ReadEssay, path: string, send: Send): Promise<ReadEssay> {
  const { draft, skipped } = read;
  const remarks = [...skipped];
  const addresses = new Map<string, string>();
  for (const address of relativePictures(draft.content)) {
    const sending = send(resolveFrom(path, address)) ?? send(address.replace(/^.*\//, ''));
    if (sending === undefined) {
      remarks.push(`没有找到图片 ${address}`);
      continue;
    }
    try {
      addresses.set(address, await sending);
    } catch (error) {
      remarks.push(`图片 ${address}：${messageOf(error)}`);
    }
  }
  return { draft: { ...draft, content: replacePictures(draft.content, addresses) }, skipped: remarks };
}

/** One draft for each text, one after the other; what fails does not stop the rest. */
export async function importEssays(pack: Pack, setup: ImportSetup): Promise<Imported[]> {
  const { api, siteUrl, categories, signal, onProgress } = setup;
  const send = createSender(setup, pack.pictures);
  const done: Imported[] = [];
  for (const { path, text } of pack.texts) {
    if (signal.aborted) break;
    const { draft, skipped } = await withPictures(
      readMarkdown(withOwnPictures(text, siteUrl), path, categories),
      path,
      send,
    );
    const { title } = draft;
    try {
      if (draft.content === '') throw new Error('empty');
      const { id } = await patiently(() => api('POST core/essay/', draft, { signal }), signal);
      done.push({ path, id, title, remarks: skipped });
    } catch (error) {
      const reason = draft.content === '' ? '正文是空的，没有导入' : messageOf(error);
      done.push({ path, id: null, title, remarks: [...skipped, reason] });
    }
    onProgress(done.length);
  }
  return done;
}

/** One text for the editor that is open. */
export function importHere(pack: Pack, setup: ImportSetup): Promise<ReadEssay> | null {
  const [only] = pack.texts;
  if (only === undefined) return null;
  const read = readMarkdown(withOwnPictures(only.text, setup.siteUrl), only.path, setup.categories);
  return withPictures(read, only.path, createSender(setup, pack.pictures));
}
