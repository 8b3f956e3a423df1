import { type EditorView, WidgetType } from '@codemirror/view';
import type { PictureUpload } from '../picture-uploads.ts';
import type { PictureWidth } from '../pictures.ts';
import type { ValueStore } from '../store.ts';
import { showFormula } from './formulas.ts';
import { findSize, rememberSize, setSize } from './picture-sizes.ts';

const element = (tag: string, className: string): HTMLElement => {
  const created = document.createElement(tag);
  created.className = className;
  return created;
};

export class BulletWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }
  override toDOM(): HTMLElement {
    const dot = element('span', 'lf-bullet');
    dot.textContent = '•';
    return dot;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

export class RuleWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }
  override toDOM(): HTMLElement {
    return element('span', 'lf-rule');
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

/** The task whose box this is may have moved since it was drawn, so its position is looked up. */
function toggleTask(view: EditorView, box: HTMLElement): void {
  if (view.state.readOnly) return;
  const line = view.state.doc.lineAt(view.posAtDOM(box));
  const found = /\[([ xX])\]/.exec(line.text);
  if (found === null) return;
  const from = line.from + found.index + 1;
  view.dispatch({
    changes: { from, to: from + 1, insert: found[1] === ' ' ? 'x' : ' ' },
    userEvent: 'input.toggle',
  });
}

export class TaskWidget extends WidgetType {
  readonly isDone: boolean;
  constructor(isDone: boolean) {
    super();
    this.isDone = isDone;
  }
  override eq({ isDone }: TaskWidget): boolean {
    return isDone === this.isDone;
  }
  override toDOM(view: EditorView): HTMLElement {
    const host = element('span', 'lf-task');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = this.isDone;
    box.tabIndex = -1;
    box.setAttribute('aria-label', '完成');
    box.addEventListener('mousedown', (event) => event.preventDefault());
    box.addEventListener('click', (event) => {
      event.preventDefault();
      toggleTask(view, host);
    });
    host.append(box);
    return host;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

/** The name of the language in place of the opening fence of a code block. */
export class CodeLabelWidget extends WidgetType {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  override eq({ name }: CodeLabelWidget): boolean {
    return name === this.name;
  }
  override toDOM(): HTMLElement {
    const label = element('span', 'lf-code-label');
    label.textContent = this.name || '代码';
    return label;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

export class FormulaWidget extends WidgetType {
  readonly formula: string;
  readonly isDisplay: boolean;
  constructor(formula: string, isDisplay: boolean) {
    super();
    this.formula = formula;
    this.isDisplay = isDisplay;
  }
  override eq({ formula, isDisplay }: FormulaWidget): boolean {
    return formula === this.formula && isDisplay === this.isDisplay;
  }
  override get estimatedHeight(): number {
    return this.isDisplay ? 72 : -1;
  }
  override toDOM(view: EditorView): HTMLElement {
    const host = this.isDisplay ? element('div', 'lf-math lf-math-display') : element('span', 'lf-math');
    showFormula(host, this.formula, this.isDisplay, () => view.requestMeasure());
    return host;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

/** The content security policy allows only pictures of the site; others are fetched when the essay is submitted. */
function isShown(url: string): boolean {
  try {
    const { protocol, origin } = new URL(url, location.href);
    return protocol === 'data:' || protocol === 'blob:' || origin === location.origin;
  } catch {
    return false;
  }
}

function note(text: string, detail: string): HTMLElement {
  const box = element('span', 'lf-picture-note');
  box.append(text, document.createElement('br'));
  const small = document.createElement('small');
  small.textContent = detail;
  box.append(small);
  return box;
}

const pictureClass = (isBelow: boolean) => (isBelow ? 'lf-picture lf-picture-below' : 'lf-picture');

export class PictureWidget extends WidgetType {
  readonly url: string;
  readonly alt: string;
  readonly isBelow: boolean;
  readonly width: PictureWidth;
  constructor(url: string, alt: string, isBelow: boolean, width: PictureWidth = null) {
    super();
    this.url = url;
    this.alt = alt;
    this.isBelow = isBelow;
    this.width = width;
  }
  override eq({ url, alt, isBelow, width }: PictureWidget): boolean {
    return url === this.url && alt === this.alt && isBelow === this.isBelow && width === this.width;
  }
  override toDOM(view: EditorView): HTMLElement {
    const { url, alt } = this;
    const host = element('span', pictureClass(this.isBelow));
    if (!isShown(url)) {
      host.append(note(alt || '别处的图片', '别处的图片在预览和提交后显示'));
      return host;
    }
    const image = document.createElement('img');
    const known = findSize(url);
    if (this.width !== null) host.classList.add(`lf-width-${Number.parseInt(this.width, 10)}`);
    image.alt = alt;
    image.draggable = false;
    if (known === undefined) host.classList.add('lf-picture-loading');
    else setSize(image, known);
    image.addEventListener('load', () => {
      setSize(image, rememberSize(url, image));
      host.classList.remove('lf-picture-loading');
      view.requestMeasure();
    });
    image.addEventListener('error', () => {
      host.classList.remove('lf-picture-loading');
      host.replaceChildren(note('图片打不开', url));
      view.requestMeasure();
    });
    image.src = url;
    host.append(image);
    return host;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

export type Uploads = Pick<ValueStore<readonly PictureUpload[]>, 'get' | 'subscribe'>;

const disconnects = new WeakMap<HTMLElement, () => void>();

/** A picture that is being sent: the file itself, with the progress over it. */
export class UploadWidget extends WidgetType {
  readonly token: string;
  readonly uploads: Uploads;
  readonly isBelow: boolean;
  constructor(token: string, uploads: Uploads, isBelow: boolean) {
    super();
    this.token = token;
    this.uploads = uploads;
    this.isBelow = isBelow;
  }
  override eq({ token, isBelow }: UploadWidget): boolean {
    return token === this.token && isBelow === this.isBelow;
  }
  override toDOM(): HTMLElement {
    const host = element('span', `${pictureClass(this.isBelow)} lf-picture-loading`);
    const label = element('span', 'lf-upload');
    const find = () => this.uploads.get().find(({ token }) => token === this.token);
    let address: string | undefined;
    const update = () => {
      const upload = find();
      // The placeholder is drawn before the upload is in the list.
      if (address === undefined && upload?.source instanceof File) {
        address = URL.createObjectURL(upload.source);
        const image = document.createElement('img');
        image.alt = '';
        image.src = address;
        host.prepend(image);
      }
      label.textContent =
        upload === undefined
          ? '图片没有传完，请重新插入'
          : (upload.problem ?? `正在上传 ${Math.round(upload.fraction * 100)}%`);
    };
    update();
    host.append(label);
    const unsubscribe = this.uploads.subscribe(update);
    disconnects.set(host, () => {
      unsubscribe();
      if (address !== undefined) URL.revokeObjectURL(address);
    });
    return host;
  }
  override destroy(host: HTMLElement): void {
    disconnects.get(host)?.();
  }
  override ignoreEvent(): boolean {
    return false;
  }
}
