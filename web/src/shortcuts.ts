import { readItem, writeItem } from '@mozhan/client/storage.ts';
import styles from './shortcuts.module.css';

/*
 * Keyboard shortcuts of the site, loaded at the first key. They work on the server's HTML, so that they need no
 * component.
 */

const OFF = 'shortcutsOff';

const keys = [
  { keys: ['j'], label: '下一篇文章；读文章时是下一节' },
  { keys: ['k'], label: '上一篇文章；读文章时是上一节' },
  { keys: ['Enter'], label: '打开选中的文章' },
  { keys: ['/'], label: '搜索' },
  { keys: ['?'], label: '显示这份说明' },
  { keys: ['Esc'], label: '关闭弹出的窗口' },
];

const areOff = () => readItem(OFF) !== null;

/** The target of an event says nothing about an editor in a shadow root. */
function isTyping(): boolean {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return (
    focused instanceof HTMLElement &&
    (focused.isContentEditable || focused.closest('input, textarea, select, [role="textbox"]') !== null)
  );
}

const hasDialog = () =>
  document.querySelector('dialog[open], [role="dialog"]:not([hidden]), [role="alertdialog"]') !== null;

const isVisible = (element: HTMLElement) => element.offsetParent !== null;

/** The titles of a list, or the headings of the text. */
function listStops(): HTMLElement[] {
  const main = document.querySelector('main');
  const text = main?.querySelector('[data-text]');
  const found = text
    ? text.querySelectorAll<HTMLElement>('h1, h2, h3, h4')
    : main?.querySelectorAll<HTMLElement>('article :is(h2, h3) > a');
  return [...(found ?? [])].filter(isVisible);
}

/** Lines up to this many pixels below the header count as read. */
const TOLERANCE = 8;

function findNext(stops: HTMLElement[], step: 1 | -1): HTMLElement | undefined {
  const focused = stops.indexOf(document.activeElement as HTMLElement);
  if (focused !== -1) return stops[focused + step];
  const { scrollPaddingTop } = getComputedStyle(document.documentElement);
  const line = Number.parseFloat(scrollPaddingTop) || 0;
  const tops = stops.map((stop) => stop.getBoundingClientRect().top - line);
  return step === 1
    ? stops[tops.findIndex((top) => top > TOLERANCE)]
    : stops[tops.findLastIndex((top) => top < -TOLERANCE)];
}

function move(step: 1 | -1): boolean {
  const next = findNext(listStops(), step);
  if (next === undefined) return false;
  if (!(next instanceof HTMLAnchorElement)) next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: next instanceof HTMLAnchorElement ? 'center' : 'start' });
  return true;
}

function search(): boolean {
  const input = [...document.querySelectorAll<HTMLInputElement>('input[name="keyword"]')].find(isVisible);
  input?.select();
  return input !== undefined;
}

function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function createList(): HTMLElement {
  const list = createElement('dl', { className: styles.list ?? '' });
  for (const each of keys) {
    const names = each.keys.map((key) => createElement('kbd', {}, key));
    list.append(createElement('dt', {}, ...names), createElement('dd', {}, each.label));
  }
  return list;
}

function createSwitch(): HTMLElement {
  const box = createElement('input', { type: 'checkbox', checked: !areOff() });
  box.addEventListener('change', () => writeItem(OFF, box.checked ? null : '1'));
  return createElement('label', { className: styles.switch ?? '' }, box, '启用单键快捷键（? 始终可用）');
}

function showHelp(): boolean {
  const close = createElement('button', { type: 'button', className: styles.close ?? '' }, '关闭');
  const title = createElement('h2', { id: 'shortcuts' }, '键盘快捷键');
  const dialog = createElement(
    'dialog',
    { className: styles.help ?? '' },
    title,
    createList(),
    createSwitch(),
    close,
  );
  dialog.setAttribute('aria-labelledby', 'shortcuts');
  const focused = document.activeElement;
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
  return true;
}

function run(key: string): boolean {
  if (key === '?') return showHelp();
  if (areOff()) return false;
  if (key === 'j') return move(1);
  if (key === 'k') return move(-1);
  return key === '/' ? search() : false;
}

function onKey(event: KeyboardEvent): void {
  const { key, isComposing, ctrlKey, metaKey, altKey } = event;
  if (event.defaultPrevented || isComposing || ctrlKey || metaKey || altKey) return;
  if (isTyping() || hasDialog()) return;
  if (run(key)) event.preventDefault();
}

/** `first` is the key at which this code was loaded. */
export function startShortcuts(first: KeyboardEvent): void {
  addEventListener('keydown', onKey);
  onKey(first);
}
