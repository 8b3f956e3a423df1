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
  /** Pinyin and other search terms. */
  searchTerms: string;
  run: (view: EditorView) => void;
}

const createItems = (pickPictures: () => void): Item[] => [
  { name: 'h2', label: '标题', searchTerms: 'biaoti heading', run: (view) => commands.setHeading(2)(view) },
  {
    name: 'h3',
    label: '小标题',
    searchTerms: 'xiaobiaoti heading',
    run: (view) => commands.setHeading(3)(view),
  },
  { name: 'list', label: '列表', searchTerms: 'liebiao ul', run: commands.toggleList },
  { name: 'number', label: '编号列表', searchTerms: 'bianhao ol', run: commands.toggleNumbers },
  { name: 'task', label: '任务列表', searchTerms: 'renwu todo', run: commands.toggleTasks },
  { name: 'table', label: '表格', searchTerms: 'biaoge', run: (view) => insertTable(view, 3, 3) },
  { name: 'image', label: '图片', searchTerms: 'tupian picture', run: pickPictures },
  { name: 'quote', label: '引用', searchTerms: 'yinyong', run: commands.toggleQuote },
  { name: 'note', label: '提示框', searchTerms: 'tishi callout', run: commands.insertCallout },
  { name: 'code', label: '代码块', searchTerms: 'daima', run: commands.insertCode },
  { name: 'math', label: '公式', searchTerms: 'gongshi latex', run: commands.insertMath },
  { name: 'mermaid', label: '流程图', searchTerms: 'liuchengtu diagram', run: commands.insertDiagram },
  { name: 'footnote', label: '脚注', searchTerms: 'jiaozhu', run: commands.insertFootnote },
  { name: 'line', label: '分隔线', searchTerms: 'fengexian hr', run: commands.insertRule },
];

/** The slash key types 、 with a Chinese input method. */
const TRIGGER = /^\s*[/、][^\s/、]*$/;

const matches = ({ name, label, searchTerms }: Item, typed: string): boolean =>
  `${name} ${searchTerms}`.split(' ').some((word) => word.startsWith(typed)) || label.includes(typed);

/** Opens at `/` at the beginning of a line, never while a character is being composed. */
export function createSlashMenu(pickPictures: () => void): CompletionSource {
  const items = createItems(pickPictures);
  const find = ({ state, pos, view, explicit }: CompletionContext): CompletionResult | null => {
    if (view?.composing || state.readOnly) return null;
    const line = state.doc.lineAt(pos);
    const before = line.text.slice(0, pos - line.from);
    if (!TRIGGER.test(before) || (line.text.length > before.length && !explicit)) return null;
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
    // Updated synchronously, so that Enter applies what was typed and not an outdated option.
    return { from, options, filter: false, update: (_, __, ___, context) => find(context) };
  };
  return find;
}
