import { isolateHistory } from '@codemirror/commands';
import { Prec, StateEffect } from '@codemirror/state';
import { EditorView, keymap, type Panel, type ViewUpdate } from '@codemirror/view';
import { afterComposition } from '../composition.ts';
import { createFindClient } from './find-client.ts';
import { findField, setFind } from './find-field.ts';
import { createFindPanel } from './find-panel.ts';
import { type Match, nextMatch, previousMatch } from './find-rules.ts';
import { findTheme } from './find-theme.ts';

const QUERY_DELAY_MS = 120;
/** The whole text is sent to the worker, so not at every key. */
const TEXT_DELAY_MS = 400;
const WAIT_NOTICE_MS = 300;

interface Find {
  focus: () => void;
  go: (forward: boolean) => void;
}
const opened = new WeakMap<EditorView, Find>();

function close(view: EditorView): boolean {
  if (view.state.field(findField, false)?.panel == null) return false;
  view.dispatch({ effects: setFind.of({ panel: null, matches: [], current: null }) });
  view.focus();
  return true;
}

const countText = (count: number) => count.toLocaleString('zh-CN');

function createPanel(view: EditorView): Panel {
  const client = createFindClient();
  let matches: readonly Match[] = [];
  let isLimited = false;
  /** The text in which the matches were found. */
  let searched = view.state.doc;
  let problem = '';
  /** Stays visible instead of the number of matches until the next query. */
  let notice = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  let isDestroyed = false;

  const currentIndex = () => {
    const { from, to } = view.state.selection.main;
    return matches.findIndex((each) => each.from === from && each.to === to);
  };

  function statusText(): string {
    if (notice !== '') return notice;
    if (panel.query().text === '') return '';
    if (matches.length === 0) return '没有找到';
    const at = currentIndex();
    const total = `共 ${countText(matches.length)} 处${isLimited ? '以上' : ''}`;
    return at < 0 ? total : `第 ${countText(at + 1)} 处，${total}`;
  }

  const showStatus = () => panel.setStatus(problem || statusText(), problem !== '');

  function select(index: number): void {
    const found = matches[index];
    if (found === undefined) return;
    view.dispatch({
      selection: { anchor: found.from, head: found.to },
      effects: [setFind.of({ current: found }), EditorView.scrollIntoView(found.from, { y: 'center' })],
      userEvent: 'select.search',
    });
    showStatus();
  }

  /** Returns false if the answer is outdated or there is none. */
  async function search(): Promise<boolean> {
    clearTimeout(timer);
    const query = panel.query();
    const { doc } = view.state;
    latest += 1;
    const id = latest;
    problem = '';
    if (query.text === '') matches = [];
    else {
      const waiting = setTimeout(() => panel.setStatus('正在查找…'), WAIT_NOTICE_MS);
      const answer = await client.ask({ type: 'find', query, text: doc.toString() });
      clearTimeout(waiting);
      if (isDestroyed || id !== latest) return false;
      matches = answer.type === 'found' ? answer.matches : [];
      isLimited = answer.type === 'found' && answer.isLimited;
      problem = answer.type === 'failed' ? answer.message : '';
    }
    // A later text is searched after the next pause.
    if (view.state.doc !== doc) return false;
    searched = doc;
    await new Promise<void>((resolve) => afterComposition(view, resolve));
    if (isDestroyed || view.state.doc !== doc) return false;
    view.dispatch({ effects: setFind.of({ matches, ...(matches.length === 0 && { current: null }) }) });
    showStatus();
    return problem === '';
  }

  const isFresh = async () => (searched === view.state.doc && problem === '' ? true : await search());

  function searchLater(delay: number, then: () => void = () => {}): void {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (await search()) then();
    }, delay);
  }

  async function go(forward: boolean): Promise<void> {
    notice = '';
    if (!(await isFresh()) || matches.length === 0) {
      showStatus();
      return;
    }
    const at = currentIndex();
    const { from } = view.state.selection.main;
    if (at >= 0) select((at + (forward ? 1 : matches.length - 1)) % matches.length);
    else select(forward ? nextMatch(matches, from) : previousMatch(matches, from));
  }

  /** Asks for the changes and makes them, unless the text has changed meanwhile. Returns their number. */
  async function replace(at: number | 'all'): Promise<number> {
    const { doc } = view.state;
    const answer = await client.ask({
      type: 'replace',
      query: panel.query(),
      text: doc.toString(),
      template: panel.template(),
      at,
    });
    if (isDestroyed || view.state.readOnly || view.state.doc !== doc) return 0;
    if (answer.type === 'failed') {
      problem = answer.message;
      showStatus();
    }
    if (answer.type !== 'replacements' || answer.replacements.length === 0) return 0;
    const changes = view.state.changes(answer.replacements);
    view.dispatch({
      changes,
      ...(at !== 'all' && {
        selection: { anchor: changes.mapPos(at, -1) + (answer.replacements[0]?.insert.length ?? 0) },
      }),
      effects: setFind.of({ current: null }),
      userEvent: 'input.replace',
      // One step of the history.
      annotations: isolateHistory.of('full'),
    });
    return answer.replacements.length;
  }

  async function replaceOne(): Promise<void> {
    notice = '';
    if (!(await isFresh())) return;
    const current = matches[currentIndex()];
    if (current !== undefined && (await replace(current.from)) === 0) return;
    if ((await search()) && matches.length > 0) select(nextMatch(matches, view.state.selection.main.from));
  }

  async function replaceAll(): Promise<void> {
    notice = '';
    if (panel.query().text === '') return;
    const count = await replace('all');
    if (count > 0) notice = `已替换 ${countText(count)} 处`;
    else if (problem !== '') return;
    await search();
  }

  const panel = createFindPanel(view, {
    onQuery() {
      notice = '';
      const start = view.state.selection.main.from;
      searchLater(QUERY_DELAY_MS, () => {
        if (matches.length > 0) select(nextMatch(matches, start));
      });
    },
    onNext: () => void go(true),
    onPrevious: () => void go(false),
    onReplace: () => void replaceOne(),
    onReplaceAll: () => void replaceAll(),
    onClose: () => void close(view),
  });

  opened.set(view, {
    focus() {
      const { from, to } = view.state.selection.main;
      const text = view.state.sliceDoc(from, Math.min(to, from + 200));
      panel.focus(text.includes('\n') ? '' : text);
      void search();
    },
    go: (forward) => void go(forward),
  });

  return {
    dom: panel.dom,
    top: true,
    update({ docChanged, selectionSet }: ViewUpdate) {
      // After a failure only a new query is searched for, so that a slow expression does not run again and again.
      if (docChanged && problem === '') searchLater(TEXT_DELAY_MS);
      else if (selectionSet) showStatus();
    },
    destroy() {
      isDestroyed = true;
      clearTimeout(timer);
      client.stop();
      opened.delete(view);
    },
  };
}

const goFrom =
  (forward: boolean) =>
  (view: EditorView): boolean => {
    opened.get(view)?.go(forward);
    return opened.has(view);
  };

const findKeymap = keymap.of([
  { key: 'Escape', run: close },
  { key: 'F3', run: goFrom(true), shift: goFrom(false), preventDefault: true },
  { key: 'Mod-g', run: goFrom(true), shift: goFrom(false), preventDefault: true },
]);

export function showFind(view: EditorView): void {
  if (view.state.field(findField, false) === undefined)
    view.dispatch({ effects: StateEffect.appendConfig.of([findField, Prec.high(findKeymap), findTheme]) });
  if (!opened.has(view)) view.dispatch({ effects: setFind.of({ panel: createPanel }) });
  opened.get(view)?.focus();
}

export async function preload(): Promise<void> {
  const client = createFindClient();
  const query = { text: '', isRegexp: false, isCaseSensitive: false, isWholeWord: false };
  await client.ask({ type: 'find', query, text: '' });
  client.stop();
}
