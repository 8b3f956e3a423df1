import type { EditorView } from '@codemirror/view';
import type { Client } from '@mozhan/contract/client.ts';
import { gapBefore } from './commands.ts';
import { newKey } from './new-key.ts';
import { whenSettled } from './source-editor.ts';
import { createStore } from './store.ts';

export interface Uploading {
  token: string;
  name: string;
  file: File;
  fraction: number;
  /** Why it did not work; it can be tried again. */
  problem: string | null;
}

const MOST_BYTES = 10 * 1024 * 1024;
const PICTURE = /^image\/(png|jpeg|webp|gif)$/;

export const isPicture = ({ type }: File): boolean => PICTURE.test(type);

const placeholderFor = ({ token, name }: Uploading): string =>
  `![${name.replace(/[[\]]/g, '')}](uploading:${token})`;

/** Lines that stand for pictures whose tab is gone. */
export const hasUnsentPictures = (text: string): boolean => /\]\(uploading:[0-9a-f]{10}\)/.test(text);

const nameOf = (name: string): string => name.replace(/\.\w+$/, '').replace(/[[\]\n]/g, '');

export type Pictures = ReturnType<typeof createPictures>;

/** Pictures on their way: a line stands in the text for each until its address is there. */
export function createPictures(api: Client, sentenceOf: (error: unknown) => string) {
  const list = createStore<readonly Uploading[]>([]);
  let view: EditorView | undefined;

  const change = (token: string, with_: Partial<Uploading>) =>
    list.set(list.get().map((each) => (each.token === token ? { ...each, ...with_ } : each)));
  const drop = (token: string) => list.set(list.get().filter((each) => each.token !== token));

  /** It may have been moved or removed meanwhile. */
  function replace(upload: Uploading, text: string): void {
    const target = view;
    if (target === undefined) return;
    whenSettled(target, () => {
      const from = target.state.doc.toString().indexOf(placeholderFor(upload));
      if (from < 0) return;
      const to = from + placeholderFor(upload).length;
      target.dispatch({ changes: { from, to, insert: text } });
    });
  }

  async function send(upload: Uploading): Promise<void> {
    const { token, file, name } = upload;
    change(token, { fraction: 0, problem: null });
    if (file.size > MOST_BYTES) return change(token, { problem: '图片不能超过 10 MB' });
    try {
      const onProgress = (fraction: number) => change(token, { fraction });
      const { path } = await api('POST core/minio/upload', { kind: 'image' }, { file, onProgress });
      replace(upload, `![${nameOf(name)}](${path})`);
      drop(token);
    } catch (error) {
      change(token, { problem: sentenceOf(error) });
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
        (file): Uploading => ({
          token: newKey().slice(0, 10),
          name: file.name || '图片.png',
          file,
          fraction: 0,
          problem: null,
        }),
      );
      const from = at ?? view.state.selection.main.from;
      const to = at ?? view.state.selection.main.to;
      const text = `${gapBefore(view.state, from)}${uploads.map(placeholderFor).join('\n\n')}\n\n`;
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
      replace(upload, '');
      drop(token);
    },
  };
}
