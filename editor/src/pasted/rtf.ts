export interface RtfPicture {
  type: 'image/png' | 'image/jpeg';
  bytes: Uint8Array<ArrayBuffer>;
}

const types = { '\\pngblip': 'image/png', '\\jpegblip': 'image/jpeg' } as const;
const HEX = /^[\da-f]$/i;

/** The pictures of a Word clipboard in order: its HTML refers to files of the writer's computer, its RTF contains them. */
export function readRtfPictures(rtf: string): RtfPicture[] {
  const pictures: RtfPicture[] = [];
  for (let at = rtf.indexOf('{\\pict'); at >= 0; at = rtf.indexOf('{\\pict', at + 1)) {
    let depth = 0;
    let end = at;
    let dataStart = at;
    for (; end < rtf.length; end += 1) {
      const letter = rtf[end];
      if (letter === '{') depth += 1;
      else if (letter === '}') {
        depth -= 1;
        if (depth === 0) break;
        dataStart = end + 1;
      } else if (letter === '\\') {
        // A control word ends at the first character that is neither a letter, a digit nor a minus sign.
        while (end + 1 < rtf.length && /[\w-]/.test(rtf[end + 1] ?? '')) end += 1;
        if (depth === 1) dataStart = end + 1;
      }
    }
    const head = rtf.slice(at, dataStart);
    const kind = Object.entries(types).find(([mark]) => head.includes(mark))?.[1];
    if (kind !== undefined) {
      const bytes = readHex(rtf, dataStart, end);
      if (bytes.length > 0) pictures.push({ type: kind, bytes });
    }
    at = end;
  }
  return pictures;
}

function readHex(text: string, from: number, to: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((to - from) / 2));
  let count = 0;
  let high = '';
  for (let at = from; at < to; at += 1) {
    const letter = text[at] ?? '';
    if (!HEX.test(letter)) continue;
    if (high === '') high = letter;
    else {
      bytes[count] = Number.parseInt(high + letter, 16);
      count += 1;
      high = '';
    }
  }
  return bytes.slice(0, count);
}
