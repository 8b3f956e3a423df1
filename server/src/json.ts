/** Deeper than anything a call takes; what is deeper could exhaust the stack of whoever walks through it. */
const DEEPEST = 32;
/** More than any call takes. So many small values take longer to read than a text of the same length. */
const MOST_VALUES = 10_000;

/** Where the string that begins at `from` ends; the end of the text when it does not. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/** Whether JSON is of a size and shape that is quick to read; what it says is not looked at. */
export function isPlainJson(text: string): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') at = endOfString(text, at);
    else if (letter === '[' || letter === '{') {
      depth += 1;
      values += 1;
    } else if (letter === ']' || letter === '}') depth -= 1;
    else if (letter === ',') values += 1;
    if (depth > DEEPEST || values > MOST_VALUES) return false;
  }
  return true;
}
