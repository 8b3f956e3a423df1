const MAX_NAME_LENGTH = 1000;
const utf8 = new TextDecoder('utf-8', { fatal: true });
/** The encoding of names in ZIP files from Chinese Windows. */
const gb18030 = new TextDecoder('gb18030', { fatal: true });

function decode(raw: Buffer): string | null {
  for (const decoder of [utf8, gb18030]) {
    try {
      return decoder.decode(raw);
    } catch {
      // Try the next encoding.
    }
  }
  return null;
}

/** Returns a clean relative path, or the reason why the name is rejected; no file is written under this name. */
export function decodeName(raw: Buffer): { name: string; reason: string | null } {
  const decoded = decode(raw);
  if (decoded === null) return { name: raw.toString('latin1').slice(0, 100), reason: '文件名的编码无法识别' };
  const name = decoded
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '');
  if (name.length > MAX_NAME_LENGTH) return { name: name.slice(0, 100), reason: '文件名太长' };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what no name may contain
  if (name === '' || /[\0-\x1f\x7f]/.test(name))
    return { name: name.slice(0, 100), reason: '文件名里有不允许的字符' };
  if (name.startsWith('/') || /^[a-z]:/i.test(name) || name.split('/').includes('..'))
    return { name, reason: '文件名指向压缩包之外' };
  return { name, reason: null };
}
