import type { EditorView } from '@codemirror/view';
import type { Client } from '@mozhan/contract/client.ts';
import { blockGapBefore } from './commands.ts';
import { createRandomKey } from './random-key.ts';
import { afterComposition } from './source-editor.ts';
import { createValueStore } from './store.ts';

export interface PictureUpload {
  token: string;
  name: string;
  file: File;
  fraction: number;
  /** Why the upload failed; it can be retried. */
  problem: string | null;
}

const MAX_BYTES = 10 * 1024 * 1024;
const PICTURE = /^image\/(png|jpeg|webp|gif)$/;

export const isPicture = ({ type }: File): boolean => PICTURE.test(type);

const placeholderOf = ({ token, name }: PictureUpload): string =>
  `![${name.replace(/[[\]]/g, '')}](uploading:${token})`;

/** Whether the text contains placeholders of uploads that were never finished, because their tab was closed. */
export const hasUnfinishedUploads = (text: string): boolean => /\]\(uploading:[0-9a-f]{10}\)/.test(text);

const toAltText = (name: string): string => name.replace(/\.\w+$/, '').replace(/[[\]\n]/g, '');

export type PictureUploads = ReturnType<typeof createPictureUploads>;

/** Uploads pictures; each has a placeholder line in the text until its URL is known. */
export function createPictureUploads(api: Client, toErrorMessage: (error: unknown) => string) {
  const list = createValueStore<readonly PictureUpload[]>([]);
  let view: EditorView | undefined;

  const updateUpload = (token: string, changes: Partial<PictureUpload>) =>
    list.set(list.get().map((each) => (each.token === token ? { ...each, ...changes } : each)));
  const removeUpload = (token: string) => list.set(list.get().filter((each) => each.token !== token));

  /** The placeholder may have been moved or removed meanwhile. */
  function replacePlaceholder(upload: PictureUpload, text: string): void {
    const target = view;
    if (target === undefined) return;
    afterComposition(target, () => {
      const from = target.state.doc.toString().indexOf(placeholderOf(upload));
      if (from < 0) return;
      const to = from + placeholderOf(upload).length;
      target.dispatch({ changes: { from, to, insert: text } });
    });
  }

  async function send(upload: PictureUpload): Promise<void> {
    const { token, file, name } = upload;
    updateUpload(token, { fraction: 0, problem: null });
    if (file.size > MAX_BYTES) return updateUpload(token, { problem: '图片不能超过 10 MB' });
    try {
      const onProgress = (fraction: number) => updateUpload(token, { fraction });
      const { path } = await api('POST core/minio/upload', { kind: 'image' }, { file, onProgress });
      replacePlaceholder(upload, `![${toAltText(name)}](${path})`);
      removeUpload(token);
    } catch (error) {
      updateUpload(token, { problem: toErrorMessage(error) });
    }
  }

  return {
    list,
    connect(next: EditorView | undefined): void {
      view = next;
    },
    add(files: readonly File[], at?: number): void {
      if (view === undefined || view.state.readOnly || files.length === 0) return;
      const uploads = files.map(
        (file): PictureUpload => ({
          token: createRandomKey().slice(0, 10),
          name: file.name || '图片.png',
          file,
          fraction: 0,
          problem: null,
        }),
      );
      const from = at ?? view.state.selection.main.from;
      const to = at ?? view.state.selection.main.to;
      const text = `${blockGapBefore(view.state, from)}${uploads.map(placeholderOf).join('\n\n')}\n\n`;
      view.dispatch({
        changes: { from, to, insert: text },
        selection: { anchor: from + text.length },
        userEvent: 'input.drop',
        scrollIntoView: true,
      });
      list.set([...list.get(), ...uploads]);
      for (const upload of uploads) void send(upload);
    },
    retry: (token: string): void => {
      const upload = list.get().find((each) => each.token === token);
      if (upload !== undefined) void send(upload);
    },
    remove(token: string): void {
      const upload = list.get().find((each) => each.token === token);
      if (upload === undefined) return;
      replacePlaceholder(upload, '');
      removeUpload(token);
    },
  };
}
