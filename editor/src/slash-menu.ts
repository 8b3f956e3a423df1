import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import * as commands from './commands.ts';
import { insertTable } from './tables.ts';

interface Item {
  name: string;
  label: string;
  /** Pinyin and other words one might look for it with. */
  words: string;
  run: (view: EditorView) => void;
}

const itemsWith = (pickPictures: () => void): Item[] => [
  { name: 'h2', label: '标题', words: 'biaoti heading', run: (view) => commands.setHeading(2)(view) },
  { name: 'h3', label: '小标题', words: 'xiaobiaoti heading', run: (view) => commands.setHeading(3)(view) },
  { name: 'list', label: '列表', words: 'liebiao ul', run: commands.toggleList },
  { name: 'number', label: '编号列表', words: 'bianhao ol', run: commands.toggleNumbers },
  { name: 'task', label: '任务列表', words: 'renwu todo', run: commands.toggleTasks },
  { name: 'table', label: '表格', words: 'biaoge', run: (view) => insertTable(view, 3, 3) },
  { name: 'image', label: '图片', words: 'tupian picture', run: pickPictures },
  { name: 'quote', label: '引用', words: 'yinyong', run: commands.toggleQuote },
  { name: 'note', label: '提示框', words: 'tishi callout', run: commands.insertCallout },
  { name: 'code', label: '代码块', words: 'daima', run: commands.insertCode },
  { name: 'math', label: '公式', words: 'gongshi latex', run: commands.insertMath },
  { name: 'mermaid', label: '流程图', words: 'liuchengtu diagram', run: commands.insertDiagram },
  { name: 'footnote', label: '脚注', words: 'jiaozhu', run: commands.insertFootnote },
  { name: 'line', label: '分隔线', words: 'fengexian hr', run: commands.insertRule },
];

/** On a Chinese keyboard the key gives 、 */
const TYPED = /^\s*[/、][^\s/、]*$/;

const matches = ({ name, label, words }: Item, typed: string): boolean =>
  `${name} ${words}`.split(' ').some((word) => word.startsWith(typed)) || label.includes(typed);

/** Opens at `/` at the beginning of a line, never while a character is being composed. */
export function slashMenu(pickPictures: () => void): CompletionSource {
  const items = itemsWith(pickPictures);
  const find = ({ state, pos, view, explicit }: CompletionContext): CompletionResult | null => {
    if (view?.composing || state.readOnly) return null;
    const line = state.doc.lineAt(pos);
    const before = line.text.slice(0, pos - line.from);
    if (!TYPED.test(before) || (line.text.length > before.length && !explicit)) return null;
    const typed = before.trim().slice(1).toLowerCase();
    const options = items
      .filter((item) => matches(item, typed))
      .map(
        ({ name, label, run }): Completion => ({
          label,
          detail: `/${name}`,
          apply(view, _, from, to) {
            view.dispatch({ changes: { from, to } });
            run(view);
          },
        }),
      );
    const from = line.from + before.search(/\S/);
    // In step with the keys, so that Enter takes what was typed and not what was shown before.
    return { from, options, filter: false, update: (_, __, ___, context) => find(context) };
  };
  return find;
}
