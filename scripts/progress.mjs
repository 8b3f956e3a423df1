/**
 * Shows what a command is doing: numbered steps with their time, one live line on a terminal, plain lines elsewhere.
 * Plain JavaScript, because it runs before anything is installed and on any Node from 20.
 */

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const HEARTBEAT = 15_000;
const live = process.stdout.isTTY && process.env.TERM !== 'dumb' && !process.env.CI;

/**
 * Operators are told in Chinese what happens, contributors in English; bootstrap.mjs knows who runs a command.
 * @param {string} chinese
 * @param {string} english
 */
export const said = (chinese, english) => (process.env.MOZHAN_MESSAGES === 'en' ? english : chinese);

/** @param {string} line */
export const print = (line) => process.stdout.write(`${line}\n`);

/** @param {number} since from performance.now() */
export const elapsed = (since) => `${((performance.now() - since) / 1000).toFixed(1)} ${said('秒', 's')}`;

/** @param {string} text */
const inParentheses = (text) => said(`（${text}）`, ` (${text})`);

/**
 * @typedef {object} Step
 * @property {(detail: string) => void} update what the live line shows besides the title
 * @property {(result?: string) => void} done
 * @property {(result?: string) => void} fail
 */

/**
 * Begins a step. A quiet one keeps to its first and last line, because its own output follows.
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
    : setInterval(animated ? draw : () => print(line()), live ? 120 : HEARTBEAT);
  const end = (/** @type {string} */ result) => {
    clearInterval(timer);
    if (animated) process.stdout.write('\r\x1b[2K');
    print(`${label} ${title}${said('：', ': ')}${result}${inParentheses(elapsed(since))}`);
  };
  return {
    update: (text) => {
      detail = text;
    },
    done: (result = said('完成', 'done')) => end(result),
    fail: (result = said('失败', 'failed')) => end(result),
  };
}

/**
 * The end of a program's output, indented, for a failed step.
 * @param {string} output
 * @param {number} lines
 */
export function tail(output, lines) {
  const all = output.trimEnd().split('\n');
  const shown = all.slice(-lines);
  const left = all.length - shown.length;
  if (left > 0) shown.unshift(said(`（略去前 ${left} 行）`, `(${left} lines before)`));
  return shown.map((line) => `    ${line}`).join('\n');
}
