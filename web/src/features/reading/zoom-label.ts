/** Authors begin alternative texts with 「图：」 or 「图 3：」, which must not be read aloud twice. */
const PREFIX = /^图(?:片|示)?\s?\d{0,3}\s?[：:]\s*/u;

export function zoomLabelOf(alt: string): string {
  const text = alt.replace(PREFIX, '').trim();
  return text === '' ? '放大图片' : `放大图片：${text}`;
}
