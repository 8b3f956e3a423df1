/**
 * Progress output of commands: numbered steps with their duration, a live line on terminals, plain lines elsewhere.
 * Plain JavaScript, because it runs before the installation on any Node from version 20.
 */

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const HEARTBEAT_MS = 15_000;
const live = process.stdout.isTTY && process.env.TERM !== 'dumb' && !process.env.CI;

/**
 * Messages are Chinese for operators and English for contributors; bootstrap.mjs sets MOZHAN_MESSAGES by command.
 * @param {string} chinese
 * @param {string} english
 */
export const localize = (chinese, english) => (process.env.MOZHAN_MESSAGES === 'en' ? english : chinese);

/** @param {string} line */
export const print = (line) => process.stdout.write(`${line}\n`);

/** @param {number} since from performance.now() */
export const elapsed = (since) => `${((performance.now() - since) / 1000).toFixed(1)} ${localize('秒', 's')}`;

/** @param {string} text */
const inParentheses = (text) => localize(`（${text}）`, ` (${text})`);

/**
 * @typedef {object} Step
 * @property {(detail: string) => void} update sets the text after the title on the live line
 * @property {(result?: string) => void} done
 * @property {(result?: string) => void} fail
 */

/**
 * Begins a step. A quiet step prints only its first and last line, because its own output follows.
 * @param {string} label such as `[1/3]`
 * @param {string} title
 * @param {{ quiet?: boolean }} [options]
 * @returns {Step}
 */
export function beginStep(label, title, { quiet = false } = {}) {
  const since = performance.now();
  const animated = live && !quiet;
  let detail = '';
  let frame = 0;
  const line = () => `${label} ${title} …${detail && ` ${detail}`}${inParentheses(elapsed(since))}`;
  const draw = () => {
    frame = (frame + 1) % FRAMES.length;
    process.stdout.write(`\r\x1b[2K${FRAMES[frame]} ${line()}`);
  };
  if (!animated) print(`${label} ${title} …`);
  const timer = quiet
    ? undefined
    : setInterval(animated ? draw : () => print(line()), live ? 120 : HEARTBEAT_MS);
  const end = (/** @type {string} */ result) => {
    clearInterval(timer);
    if (animated) process.stdout.write('\r\x1b[2K');
    print(`${label} ${title}${localize('：', ': ')}${result}${inParentheses(elapsed(since))}`);
  };
  return {
    update: (text) => {
      detail = text;
    },
    done: (result = localize('完成', 'done')) => end(result),
    fail: (result = localize('失败', 'failed')) => end(result),
  };
}

/**
 * Last lines of a program's output, indented.
 * @param {string} output
 * @param {number} lines
 */
export function tail(output, lines) {
  const all = output.trimEnd().split('\n');
  const lastLines = all.slice(-lines);
  const left = all.length - lastLines.length;
  if (left > 0) lastLines.unshift(localize(`（略去前 ${left} 行）`, `(${left} lines before)`));
  return lastLines.map((line) => `    ${line}`).join('\n');
}
