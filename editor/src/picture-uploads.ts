import type { EditorView } from '@codemirror/view';
import type { Client } from '@mozhan/contract/client.ts';
import { isAnimated } from './animated-picture.ts';
import { blockGapBefore } from './commands.ts';
import { afterComposition } from './composition.ts';
import type { PastedPicture } from './pasted/pictures.ts';
import { toDestination } from './picture-destination.ts';
import { createRandomKey } from './random-key.ts';
import { createValueStore } from './store.ts';

export interface PictureUpload {
  token: string;
  name: string;
  /** A file of the writer, or the address of a picture that the server fetches. */
  source: File | string;
  fraction: number;
  /** Why the upload failed; it can be retried. */
  problem: string | null;
}

const MAX_BYTES = 10 * 1024 * 1024;
const PICTURE = /^image\/(png|jpeg|webp|gif)$/;

export const isPicture = ({ type }: File): boolean => PICTURE.test(type);

const addressOf = ({ token }: Pick<PictureUpload, 'token'>): string => `uploading:${token}`;

/** Whether the text contains placeholders of uploads that were never finished, because their tab was closed. */
export const hasUnfinishedUploads = (text: string): boolean =>
  /(?:\]\(|src=")uploading:[0-9a-f]{10}[\s)"]/.test(text);

/** Names that a camera, a screenshot or a clipboard gives, which describe nothing. */
const GENERATED_NAME =
  /^(?:(?:image|img|photo|picture|pxl|dsc[nf]?|mmexport|wx_camera|screenshot|clipboard|图片|微信图片|微信截图|qq图片|qq截图|截屏|截图|屏幕截图|屏幕快照)(?:[\d\s\p{P}\p{S}年月日时分秒上下午]|at|am|pm)*|[\da-f-]{16,}|\d+)$/iu;

/** A name that says nothing gives no alternative text, so that the checks before submission ask for one. */
export function toAltText(name: string): string {
  const text = name.replace(/\.\w+$/, '').replace(/[[\]\n]/g, '');
  return GENERATED_NAME.test(text) ? '' : text;
}

/** Remote pictures are in the text with their own address, which works without an upload. */
export const isRemote = ({ source }: PictureUpload): boolean => typeof source === 'string';

export type PictureUploads = ReturnType<typeof createPictureUploads>;

/** Where the address of a picture is in the text, of Markdown or of a tag with a width. */
export function findAddresses(text: string, address: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const [open, escaped] of [
    ['](', address],
    ['src="', address.replaceAll('&', '&amp;')],
  ] as const) {
    const mark = open + escaped;
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      const to = at + mark.length;
      if (/[\s)"]/.test(text.charAt(to))) found.push({ from: at + open.length, to });
    }
  }
  return found;
}

/** Uploads pictures; the address of a file is a placeholder until its URL is known, that of a remote picture works meanwhile. */
export function createPictureUploads(
  api: Client,
  toErrorMessage: (error: unknown) => string,
  onNotice: (text: string) => void,
) {
  const list = createValueStore<readonly PictureUpload[]>([]);
  let view: EditorView | undefined;

  const updateUpload = (token: string, changes: Partial<PictureUpload>) =>
    list.set(list.get().map((each) => (each.token === token ? { ...each, ...changes } : each)));
  const removeUpload = (token: string) => list.set(list.get().filter((each) => each.token !== token));

  /** The picture may have been moved, copied or removed meanwhile. */
  function replaceAddress(upload: PictureUpload, path: string): void {
    const target = view;
    if (target === undefined) return;
    const address = typeof upload.source === 'string' ? upload.source : addressOf(upload);
    afterComposition(target, () => {
      const changes = findAddresses(target.state.doc.toString(), address).map((range) => ({
        ...range,
        insert: path,
      }));
      if (changes.length > 0) target.dispatch({ changes });
    });
  }

  function removePlaceholder(upload: PictureUpload): void {
    const target = view;
    if (target === undefined) return;
    afterComposition(target, () => {
      const text = target.state.doc.toString();
      const [found] = findAddresses(text, addressOf(upload));
      if (found === undefined) return;
      const [open, close] = text.charAt(found.from - 1) === '"' ? ['<img', '>'] : ['![', ')'];
      const changes = { from: text.lastIndexOf(open, found.from), to: text.indexOf(close, found.to) + 1 };
      target.dispatch({ changes });
    });
  }

  const isInText = (upload: PictureUpload): boolean => {
    const address = typeof upload.source === 'string' ? upload.source : addressOf(upload);
    return view === undefined || findAddresses(view.state.doc.toString(), address).length > 0;
  };

  /** Forgets failed pictures that the writer has deleted from the text. */
  const dropDeleted = () => list.set(list.get().filter((each) => each.problem === null || isInText(each)));

  async function tellIfAnimated(file: File): Promise<void> {
    if (file.type === 'image/jpeg' || file.size > MAX_BYTES) return;
    if (isAnimated(new Uint8Array(await file.arrayBuffer())))
      onNotice(`「${file.name || '图片'}」是动图，上传后只保留第一帧`);
  }

  async function send(upload: PictureUpload): Promise<void> {
    const { token, source } = upload;
    updateUpload(token, { fraction: 0, problem: null });
    if (typeof source !== 'string' && source.size > MAX_BYTES)
      return updateUpload(token, { problem: '图片不能超过 10 MB' });
    try {
      const onProgress = (fraction: number) => updateUpload(token, { fraction });
      const { path } =
        typeof source === 'string'
          ? await api('POST core/minio/fetch', { url: source })
          : await api('POST core/minio/upload', { kind: 'image' }, { file: source, onProgress });
      replaceAddress(upload, path);
      removeUpload(token);
      if (typeof source !== 'string') await tellIfAnimated(source);
    } catch (error) {
      updateUpload(token, { problem: toErrorMessage(error) });
    }
  }

  /** One after the other: the server fetches one picture of a user at a time. */
  async function fetchAll(uploads: readonly PictureUpload[]): Promise<void> {
    for (const upload of uploads) {
      const isWanted = list.get().some(({ token }) => token === upload.token);
      if (view !== undefined && isWanted) await send(upload);
    }
  }

  const toUpload = (name: string, source: File | string, token?: string): PictureUpload => ({
    token: token ?? createRandomKey().slice(0, 10),
    name,
    source,
    fraction: 0,
    problem: null,
  });

  return {
    list,
    connect(next: EditorView | undefined): void {
      view = next;
    },
    add(files: readonly File[], at?: number): void {
      if (view === undefined || view.state.readOnly || files.length === 0) return;
      const uploads = files.map((file) => toUpload(file.name || '图片.png', file));
      const from = at ?? view.state.selection.main.from;
      const to = at ?? view.state.selection.main.to;
      const placeholders = uploads.map((upload) => `![${toAltText(upload.name)}](${addressOf(upload)})`);
      const text = `${blockGapBefore(view.state, from)}${placeholders.join('\n\n')}\n\n`;
      view.dispatch({
        changes: { from, to, insert: text },
        selection: { anchor: from + text.length },
        userEvent: 'input.drop',
        scrollIntoView: true,
      });
      list.set([...list.get(), ...uploads]);
      for (const upload of uploads) void send(upload);
    },
    /** Uploads or fetches the pictures of a pasted text, which is already inserted. */
    addPasted(pictures: readonly PastedPicture[]): void {
      const uploads = pictures.map((picture) =>
        'url' in picture
          ? toUpload(picture.name, toDestination(picture.url), picture.token)
          : toUpload(
              picture.name,
              new File([picture.bytes], `${picture.name}.${picture.type.slice('image/'.length)}`, {
                type: picture.type,
              }),
              picture.token,
            ),
      );
      dropDeleted();
      list.set([...list.get(), ...uploads]);
      for (const upload of uploads) if (typeof upload.source !== 'string') void send(upload);
      void fetchAll(uploads.filter(isRemote));
    },
    retry(token: string): void {
      const upload = list.get().find((each) => each.token === token);
      if (upload !== undefined) void send(upload);
    },
    retryRemote(): void {
      const failed = list.get().filter((each) => isRemote(each) && each.problem !== null);
      for (const { token } of failed) updateUpload(token, { problem: null });
      void fetchAll(failed);
    },
    /** Pictures that an essay cannot be submitted without; a failed remote one keeps its own address. */
    unfinished(): PictureUpload[] {
      dropDeleted();
      return list.get().filter((each) => each.problem === null || !isRemote(each));
    },
    /** The pictures keep the addresses that they were pasted with. */
    keepRemote(): void {
      list.set(list.get().filter((each) => !isRemote(each) || each.problem === null));
    },
    remove(token: string): void {
      const upload = list.get().find((each) => each.token === token);
      if (upload === undefined) return;
      removePlaceholder(upload);
      removeUpload(token);
    },
  };
}
