const MAX_LENGTH = 2000;
const MAX_CELLS = 2500;
const MAX_DEPTH = 100;
/** A definition of a few characters can stand for millions. */
const DEFINITION = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![A-Za-z])/;
const ROW_END = /\\\\|\\cr(?![A-Za-z])/;

/** Every row of a table gets as many cells as the longest one. */
function countCells(formula: string): number {
  const rows = formula.split(ROW_END);
  return rows.length * Math.max(...rows.map((row) => row.split('&').length));
}

function depthOf(formula: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of formula) {
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Other formulas stay as source, because they would block the main thread; the server renders them in a thread. */
export const isQuick = (formula: string): boolean =>
  formula.length <= MAX_LENGTH &&
  !DEFINITION.test(formula) &&
  countCells(formula) <= MAX_CELLS &&
  depthOf(formula) <= MAX_DEPTH;
const MAX_CACHED = 300;

type Render = (formula: string, isDisplay: boolean) => Element;

let render: Render | undefined;
let loading: Promise<void> | undefined;

/** The most recently used results; null is a formula with an error. */
const cache = new Map<string, Element | null>();

async function load(): Promise<void> {
  const { default: temml } = await import('temml');
  render = (formula, displayMode) => {
    const host = document.createElement('span');
    // The same options as on the server.
    temml.render(formula, host, { displayMode, throwOnError: true, trust: false, maxSize: [20, 50] });
    if (host.firstElementChild === null) throw new Error('not a formula');
    return host.firstElementChild;
  };
}

function renderCached(formula: string, isDisplay: boolean): Element | null {
  const key = `${isDisplay ? 'd' : 'i'}${formula}`;
  let found = cache.get(key);
  if (found === undefined) {
    try {
      found = render?.(formula, isDisplay) ?? null;
    } catch {
      found = null;
    }
  }
  cache.delete(key);
  cache.set(key, found);
  for (const oldest of cache.keys()) {
    if (cache.size <= MAX_CACHED) break;
    cache.delete(oldest);
  }
  return found;
}

function fill(host: HTMLElement, formula: string, isDisplay: boolean): void {
  const math = renderCached(formula, isDisplay);
  host.classList.toggle('lf-wrong', math === null);
  if (math === null) host.textContent = formula;
  else host.replaceChildren(math.cloneNode(true));
}

/** Shows the formula in the element; its source is there until the renderer is loaded, or if it has an error. */
export function showFormula(
  host: HTMLElement,
  formula: string,
  isDisplay: boolean,
  onResize: () => void,
): void {
  if (formula === '' || !isQuick(formula)) host.textContent = formula;
  else if (render !== undefined) fill(host, formula, isDisplay);
  else {
    host.textContent = formula;
    loading ??= load().catch(() => {
      loading = undefined;
    });
    void loading.then(() => {
      if (render === undefined) return;
      fill(host, formula, isDisplay);
      onResize();
    });
  }
}
