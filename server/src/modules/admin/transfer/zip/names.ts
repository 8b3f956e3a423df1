const LONGEST = 1000;
const utf8 = new TextDecoder('utf-8', { fatal: true });
/** What Chinese Windows writes into a ZIP. */
const chinese = new TextDecoder('gb18030', { fatal: true });

function decode(raw: Buffer): string | null {
  for (const decoder of [utf8, chinese]) {
    try {
      return decoder.decode(raw);
    } catch {
      // The next one, if there is one.
    }
  }
  return null;
}

/** A name of an archive as a clean relative path; `why` it is none. Whatever it is, no file is ever written by it. */
export function readName(raw: Buffer): { name: string; why: string | null } {
  const decoded = decode(raw);
  if (decoded === null) return { name: raw.toString('latin1').slice(0, 100), why: '文件名的编码无法识别' };
  const name = decoded
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '');
  if (name.length > LONGEST) return { name: name.slice(0, 100), why: '文件名太长' };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what no name may contain
  if (name === '' || /[\0-\x1f\x7f]/.test(name))
    return { name: name.slice(0, 100), why: '文件名里有不允许的字符' };
  if (name.startsWith('/') || /^[a-z]:/i.test(name) || name.split('/').includes('..'))
    return { name, why: '文件名指向压缩包之外' };
  return { name, why: null };
}
