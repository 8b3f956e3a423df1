import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  completionStatus,
  startCompletion,
} from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import * as commands from './commands.ts';
import { insertTable } from './tables.ts';
import { type ToolIconName, toolIconPaths } from './tool-icons.ts';

type Group = '文字' | '列表' | '插入' | '专业';

interface Item {
  name: string;
  label: string;
  icon: ToolIconName;
  group: Group;
  /** Syllables of the label, which is also found by their first letters. */
  pinyin: string;
  /** Other search terms. */
  terms?: string;
  run: (view: EditorView) => void;
}

const createItems = (pickPictures: () => void): Item[] => [
  {
    name: 'h2',
    label: '标题',
    icon: 'heading',
    group: '文字',
    pinyin: 'biao ti',
    terms: 'heading title',
    run: (view) => commands.setHeading(2)(view),
  },
  {
    name: 'h3',
    label: '小标题',
    icon: 'subheading',
    group: '文字',
    pinyin: 'xiao biao ti',
    terms: 'heading subtitle',
    run: (view) => commands.setHeading(3)(view),
  },
  {
    name: 'quote',
    label: '引用',
    icon: 'quote',
    group: '文字',
    pinyin: 'yin yong',
    run: commands.toggleQuote,
  },
  {
    name: 'note',
    label: '提示框',
    icon: 'callout',
    group: '文字',
    pinyin: 'ti shi kuang',
    terms: 'callout tip',
    run: commands.insertCallout,
  },
  {
    name: 'line',
    label: '分隔线',
    icon: 'rule',
    group: '文字',
    pinyin: 'fen ge xian',
    terms: 'hr rule divider',
    run: commands.insertRule,
  },
  {
    name: 'list',
    label: '列表',
    icon: 'toc',
    group: '列表',
    pinyin: 'lie biao',
    terms: 'ul bullet',
    run: commands.toggleList,
  },
  {
    name: 'number',
    label: '编号列表',
    icon: 'numbers',
    group: '列表',
    pinyin: 'bian hao lie biao',
    terms: 'ol ordered',
    run: commands.toggleNumbers,
  },
  {
    name: 'task',
    label: '任务列表',
    icon: 'task',
    group: '列表',
    pinyin: 'ren wu lie biao',
    terms: 'todo check',
    run: commands.toggleTasks,
  },
  {
    name: 'image',
    label: '图片',
    icon: 'image',
    group: '插入',
    pinyin: 'tu pian',
    terms: 'picture photo',
    run: pickPictures,
  },
  {
    name: 'table',
    label: '表格',
    icon: 'table',
    group: '插入',
    pinyin: 'biao ge',
    run: (view) => insertTable(view, 3, 3),
  },
  {
    name: 'link',
    label: '链接',
    icon: 'link',
    group: '插入',
    pinyin: 'lian jie',
    terms: 'url',
    run: commands.insertLink,
  },
  {
    name: 'code',
    label: '代码块',
    icon: 'code',
    group: '专业',
    pinyin: 'dai ma kuai',
    terms: 'program',
    run: commands.insertCode,
  },
  {
    name: 'math',
    label: '公式',
    icon: 'sigma',
    group: '专业',
    pinyin: 'gong shi',
    terms: 'latex formula tex',
    run: commands.insertMath,
  },
  {
    name: 'mermaid',
    label: '流程图',
    icon: 'diagram',
    group: '专业',
    pinyin: 'liu cheng tu',
    terms: 'diagram flowchart',
    run: commands.insertDiagram,
  },
  {
    name: 'footnote',
    label: '脚注',
    icon: 'footnote',
    group: '专业',
    pinyin: 'jiao zhu',
    run: commands.insertFootnote,
  },
];

const groupOrder: readonly Group[] = ['文字', '列表', '插入', '专业'];
const sections = Object.fromEntries(groupOrder.map((name, rank) => [name, { name, rank }]));

const SVG = 'http://www.w3.org/2000/svg';

function createIcon(name: ToolIconName): SVGElement {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('class', 'cm-slash-icon');
  icon.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', toolIconPaths[name]);
  icon.append(path);
  return icon;
}

/** The type of an option is the name of its icon. */
const slashIcon = {
  render: ({ type }: Completion): Node | null =>
    type !== undefined && type in toolIconPaths ? createIcon(type as ToolIconName) : null,
  position: 20,
};

/** The slash key types 、 with a Chinese input method. */
const TRIGGER = /^\s*[/、][^\s/、]*$/;

/** Found by part of the label, by its pinyin or the first letters of that, and by English words. */
export function matchesItem(
  { name, label, pinyin, terms = '' }: Pick<Item, 'name' | 'label' | 'pinyin' | 'terms'>,
  typed: string,
): boolean {
  const syllables = pinyin.split(' ');
  const initials = syllables.map(([first]) => first).join('');
  const words = [
    name,
    ...terms.split(' '),
    initials,
    ...syllables.map((_, at) => syllables.slice(at).join('')),
  ];
  return label.includes(typed) || words.some((word) => word.startsWith(typed));
}

/** Whether the label or its pinyin begins with what was typed; such items come first. */
export const startsItem = ({ name, label, pinyin }: Pick<Item, 'name' | 'label' | 'pinyin'>, typed: string) =>
  label.startsWith(typed) || name.startsWith(typed) || pinyin.replaceAll(' ', '').startsWith(typed);

/** The text of the line before and after a position. */
function lineAround(state: EditorState, position: number): { from: number; before: string; after: string } {
  const { from, text } = state.doc.lineAt(position);
  return { from, before: text.slice(0, position - from), after: text.slice(position - from) };
}

function createSource(pickPictures: () => void): CompletionSource {
  const items = createItems(pickPictures);
  const find = ({ state, pos, view }: CompletionContext): CompletionResult | null => {
    if (view?.composing || state.readOnly) return null;
    const line = lineAround(state, pos);
    if (!TRIGGER.test(line.before)) return null;
    const typed = line.before.trim().slice(1).toLowerCase();
    const found = items.filter((item) => matchesItem(item, typed));
    const first = found.filter((item) => startsItem(item, typed));
    const options = [...first, ...found.filter((item) => !first.includes(item))].map(
      ({ name, label, icon, group, run }): Completion => ({
        label,
        type: icon,
        // The groups would separate the best matches.
        ...(typed === '' && { section: sections[group] }),
        detail: `/${name}`,
        apply(view, _, from, to) {
          view.dispatch({ changes: { from, to } });
          run(view);
        },
      }),
    );
    const from = line.from + line.before.search(/\S/);
    // Updated synchronously, so that Enter applies what was typed and not an outdated option.
    return { from, options, filter: false, update: (_, __, ___, context) => find(context) };
  };
  return find;
}

/** Looking for completions after every key would update the editor twice for each. */
const openAtSlash = EditorView.updateListener.of(({ docChanged, transactions, state, view }) => {
  if (!docChanged || completionStatus(state) !== null) return;
  if (!transactions.some((each) => each.isUserEvent('input.type'))) return;
  const { before, after } = lineAround(state, state.selection.main.head);
  if (after === '' && TRIGGER.test(before)) startCompletion(view);
});

/** Opens at `/` at the beginning of a line, never while a character is being composed. */
export const slashMenu = (pickPictures: () => void): Extension => [
  autocompletion({
    activateOnTyping: false,
    override: [createSource(pickPictures)],
    icons: false,
    addToOptions: [slashIcon],
    interactionDelay: 0,
  }),
  openAtSlash,
];
