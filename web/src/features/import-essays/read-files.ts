import { unzip } from 'fflate';

export interface ImportFiles {
  texts: { path: string; text: string }[];
  pictures: Map<string, File>;
  /** Files that are neither, with the reason. */
  skipped: { name: string; reason: string }[];
}

const TEXT = /\.(md|markdown|txt)$/i;
const PICTURE = /\.(png|jpe?g|webp|gif)$/i;
const types: Record<string, string> = { png: 'image/png', webp: 'image/webp', gif: 'image/gif' };
const MAX_BYTES = 200 * 1024 * 1024;
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
const MAX_FILES = 2000;

/** Some old files from Windows are not encoded in UTF-8. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

function unpack(bytes: Uint8Array): Promise<Record<string, Uint8Array>> {
  let total = 0;
  let count = 0;
  return new Promise((resolve, reject) => {
    unzip(
      bytes,
      {
        filter({ name, originalSize }) {
          if (!TEXT.test(name) && !PICTURE.test(name)) return false;
          total += originalSize;
          count += 1;
          if (total > MAX_BYTES || count > MAX_FILES) throw new Error('压缩包解开后太大');
          return true;
        },
      },
      (error, files) => (error ? reject(error) : resolve(files)),
    );
  });
}

const toPicture = (path: string, bytes: Uint8Array<ArrayBuffer>): File => {
  const extension = path.replace(/^.*\./, '').toLowerCase();
  return new File([bytes], path.replace(/^.*\//, ''), { type: types[extension] ?? 'image/jpeg' });
};

/** Files that macOS adds. */
const isHidden = (path: string): boolean => /(^|\/)(__MACOSX|\.)/.test(path);

function addFile(pack: ImportFiles, path: string, bytes: Uint8Array<ArrayBuffer>): void {
  if (isHidden(path)) return;
  if (PICTURE.test(path)) pack.pictures.set(path, toPicture(path, bytes));
  else if (!TEXT.test(path)) pack.skipped.push({ name: path, reason: '不是 Markdown，也不是图片' });
  else if (bytes.length > MAX_TEXT_BYTES) pack.skipped.push({ name: path, reason: '文件太大' });
  else pack.texts.push({ path, text: decode(bytes) });
}

/** Reads all files; those in a zip keep their folders. */
export async function readFiles(files: readonly File[]): Promise<ImportFiles> {
  const pack: ImportFiles = { texts: [], pictures: new Map(), skipped: [] };
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (!/\.zip$/i.test(file.name)) {
      addFile(pack, file.name, bytes);
      continue;
    }
    try {
      const entries = await unpack(bytes);
      for (const [path, content] of Object.entries(entries)) addFile(pack, path, new Uint8Array(content));
    } catch {
      pack.skipped.push({ name: file.name, reason: '压缩包打不开，或解开后太大' });
    }
  }
  pack.texts.sort((a, b) => a.path.localeCompare(b.path, 'zh-CN'));
  return pack;
}
