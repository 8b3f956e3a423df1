import type { EditorView } from '@codemirror/view';
import { toolIconPaths } from '../tool-icons.ts';
import type { Query } from './find-rules.ts';

/** What the buttons and keys of the panel do. */
export interface FindActions {
  onQuery: () => void;
  onNext: () => void;
  onPrevious: () => void;
  onReplace: () => void;
  onReplaceAll: () => void;
  onClose: () => void;
}

export interface FindPanel {
  dom: HTMLElement;
  query: () => Query;
  template: () => string;
  setStatus: (text: string, isError?: boolean) => void;
  /** Focuses the field, with this text in it if there is any. */
  focus: (text: string) => void;
}

const create = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

function createIcon(path: string): SVGElement {
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  shape.setAttribute('d', path);
  icon.append(shape);
  return icon;
}

const createField = (label: string): HTMLInputElement =>
  create('input', {
    class: 'cm-textfield',
    'aria-label': label,
    placeholder: label,
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
  });

const createButton = (content: Node | string, label: string, onClick: () => void): HTMLButtonElement => {
  const button = create('button', { type: 'button', class: 'cm-button', title: label }, content);
  if (content !== label) button.setAttribute('aria-label', label);
  button.addEventListener('click', onClick);
  return button;
};

/** What was last searched for on this page. */
const stored = { text: '', template: '', toggles: new Set<string>() };

export function createFindPanel(view: EditorView, actions: FindActions): FindPanel {
  const find = createField('查找');
  const replace = createField('替换为');
  find.value = stored.text;
  replace.value = stored.template;

  const createToggle = (text: string, label: string) => {
    const button = createButton(text, label, () => {
      if (!stored.toggles.delete(label)) stored.toggles.add(label);
      button.setAttribute('aria-pressed', String(stored.toggles.has(label)));
      actions.onQuery();
    });
    button.setAttribute('aria-pressed', String(stored.toggles.has(label)));
    button.classList.add('cm-find-toggle');
    return button;
  };

  const status = create('span', { class: 'cm-find-status', role: 'status' });
  const close = createButton(createIcon(toolIconPaths.close), '关闭', actions.onClose);
  close.classList.add('cm-find-close');
  const searchRow = create(
    'div',
    { class: 'cm-find-row' },
    find,
    createToggle('Aa', '区分大小写'),
    createToggle('整词', '整词'),
    createToggle('.*', '正则表达式'),
    createButton(createIcon(toolIconPaths.up), '上一个', actions.onPrevious),
    createButton(createIcon(toolIconPaths.down), '下一个', actions.onNext),
    status,
    close,
  );
  const replaceRow = create(
    'div',
    { class: 'cm-find-row' },
    replace,
    createButton('替换', '替换', actions.onReplace),
    createButton('全部替换', '全部替换', actions.onReplaceAll),
  );
  const dom = create('div', { class: 'cm-find', role: 'search', 'aria-label': '查找和替换' }, searchRow);
  if (!view.state.readOnly) dom.append(replaceRow);

  find.addEventListener('input', (event) => {
    stored.text = find.value;
    // Searched for when the input method has finished.
    if (!(event instanceof InputEvent && event.isComposing)) actions.onQuery();
  });
  find.addEventListener('compositionend', () => {
    stored.text = find.value;
    actions.onQuery();
  });
  replace.addEventListener('input', () => {
    stored.template = replace.value;
  });
  dom.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const isEnter = event.key === 'Enter' && event.target instanceof HTMLInputElement;
    if (event.key === 'Escape') actions.onClose();
    else if (isEnter && event.target === replace) actions.onReplace();
    else if (isEnter && event.shiftKey) actions.onPrevious();
    else if (isEnter) actions.onNext();
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') find.select();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    dom,
    query: () => ({
      text: find.value,
      isRegexp: stored.toggles.has('正则表达式'),
      isCaseSensitive: stored.toggles.has('区分大小写'),
      isWholeWord: stored.toggles.has('整词'),
    }),
    template: () => replace.value,
    setStatus(text, isError = false) {
      if (status.textContent !== text) status.textContent = text;
      status.classList.toggle('cm-find-error', isError);
    },
    focus(text) {
      if (text !== '') {
        find.value = text;
        stored.text = text;
      }
      find.focus();
      find.select();
    },
  };
}
