import { Popover } from '@base-ui/react/popover';
import { Toolbar as Base } from '@base-ui/react/toolbar';
import { startCompletion } from '@codemirror/autocomplete';
import { openSearchPanel } from '@codemirror/search';
import type { EditorView } from '@codemirror/view';
import { type ReactElement, useRef, useState } from 'react';
import { buttonClass } from '#web/ui/button.tsx';
import { EmojiPicker } from '#web/ui/emoji-picker.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import * as commands from './commands.ts';
import type { Desk, ViewMode } from './desk.ts';
import { isPicture } from './pictures.ts';
import { useStore } from './store.ts';
import { TableHelper } from './table-helper.tsx';
import { ToolIcon, type ToolIconName } from './tool-icons.tsx';
import styles from './toolbar.module.css';

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
export const shortcut = (keys: string): string => (isMac ? keys.replace('Ctrl', '⌘') : keys);

interface ToolProps {
  label: string;
  icon: ReactElement;
  keys?: string;
  pressed?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

const toolClass = `${buttonClass({ look: 'ghost', size: 'small', square: true })} ${styles.tool}`;

const Tool = ({ label, icon, keys, pressed, disabled, onClick }: ToolProps) => (
  <Base.Button
    className={toolClass}
    aria-label={label}
    aria-pressed={pressed}
    disabled={disabled}
    title={keys === undefined ? label : `${label}　${shortcut(keys)}`}
    // The text keeps the focus and, on a phone, the keyboard.
    onMouseDown={(event) => event.preventDefault()}
    onClick={onClick}
  >
    {icon}
  </Base.Button>
);

interface ToolPopoverProps {
  label: string;
  icon: ToolIconName;
  disabled: boolean;
  children: (close: () => void) => ReactElement;
}

function ToolPopover({ label, icon, disabled, children }: ToolPopoverProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={(next) => setOpen(next)}>
      <Base.Button
        className={toolClass}
        aria-label={label}
        title={label}
        disabled={disabled}
        render={<Popover.Trigger />}
      >
        <ToolIcon name={icon} />
      </Base.Button>
      <Popover.Portal>
        <Popover.Positioner className={styles.layer} sideOffset={6}>
          <Popover.Popup className={styles.popup} aria-label={label} finalFocus={false}>
            {children(() => setOpen(false))}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

const modes: { mode: ViewMode; label: string }[] = [
  { mode: 'source', label: '编辑' },
  { mode: 'split', label: '双栏' },
  { mode: 'preview', label: '预览' },
];

const Line = () => <Base.Separator className={styles.line} />;

interface ToolbarProps {
  desk: Desk;
  readOnly: boolean;
  onImport: () => void;
  onHelp: () => void;
}

type Plain = { label: string; icon: ReactElement; keys?: string; run: (view: EditorView) => unknown };

const tool = (name: ToolIconName) => <ToolIcon name={name} />;

const groups: Plain[][] = [
  [
    { label: '撤销', icon: tool('undo'), keys: 'Ctrl Z', run: commands.undoChange },
    { label: '重做', icon: tool('redo'), keys: 'Ctrl Y', run: commands.redoChange },
  ],
  [
    { label: '标题', icon: tool('heading'), run: commands.cycleHeading },
    { label: '加粗', icon: tool('bold'), keys: 'Ctrl B', run: commands.bold },
    { label: '着重号', icon: tool('stress'), keys: 'Ctrl I', run: commands.stress },
    { label: '删除线', icon: tool('strike'), keys: 'Ctrl Shift X', run: commands.strike },
  ],
  [
    { label: '引用', icon: tool('quote'), keys: 'Ctrl Shift 9', run: commands.toggleQuote },
    { label: '列表', icon: tool('toc'), keys: 'Ctrl Shift 8', run: commands.toggleList },
    { label: '编号列表', icon: tool('numbers'), keys: 'Ctrl Shift 7', run: commands.toggleNumbers },
    { label: '任务列表', icon: tool('task'), run: commands.toggleTasks },
  ],
];

const inserts: Plain[] = [
  { label: '公式', icon: tool('sigma'), run: commands.insertMath },
  { label: '流程图', icon: tool('diagram'), run: commands.insertDiagram },
  { label: '脚注', icon: tool('footnote'), run: commands.insertFootnote },
];

/** One stop for the Tab key; arrows move between the tools. */
export function Toolbar({ desk, readOnly, onImport, onHelp }: ToolbarProps) {
  const view = useStore(desk.view);
  const mode = useStore(desk.mode);
  const outline = useStore(desk.outline);
  const focus = useStore(desk.focus);
  const inTable = useStore(desk.inTable);
  const input = useRef<HTMLInputElement>(null);
  const off = readOnly || view === null;
  const run = (command: (view: EditorView) => unknown) => {
    if (view !== null) command(view);
  };
  const plain = ({ label, icon, keys, run: command }: Plain) => (
    <Tool key={label} label={label} icon={icon} keys={keys} disabled={off} onClick={() => run(command)} />
  );

  function openSlashMenu(target: EditorView): void {
    const { from } = target.state.selection.main;
    const line = target.state.doc.lineAt(from);
    const insert = line.text.trim() === '' ? '/' : '\n\n/';
    const at = line.text.trim() === '' ? from : line.to;
    target.dispatch({ changes: { from: at, insert }, selection: { anchor: at + insert.length } });
    target.focus();
    startCompletion(target);
  }

  return (
    <Base.Root className={styles.tools} aria-label="格式">
      {groups.map((group) => (
        <div key={group[0]?.label} className={styles.group}>
          {group.map(plain)}
          <Line />
        </div>
      ))}
      {plain({ label: '链接', icon: <Icon name="link" />, keys: 'Ctrl K', run: commands.insertLink })}
      <Tool label="图片" icon={<Icon name="image" />} disabled={off} onClick={() => input.current?.click()} />
      {plain({ label: '代码块', icon: <Icon name="code" />, run: commands.insertCode })}
      <ToolPopover label="表格" icon="table" disabled={off}>
        {(close) => (view === null ? <p /> : <TableHelper view={view} inTable={inTable} onDone={close} />)}
      </ToolPopover>
      {inserts.map(plain)}
      <ToolPopover label="表情" icon="smile" disabled={off}>
        {(close) => (
          <EmojiPicker
            onPick={(emoji) => {
              close();
              run((target) => commands.insert(target, emoji));
            }}
          />
        )}
      </ToolPopover>
      <Line />
      {plain({ label: '插入菜单', icon: tool('slash'), keys: '/', run: openSlashMenu })}
      <Tool label="查找和替换" icon={tool('search')} keys="Ctrl F" onClick={() => run(openSearchPanel)} />
      <Tool label="大纲" icon={tool('tree')} pressed={outline} onClick={() => desk.outline.set(!outline)} />
      <Tool
        label="专注模式"
        icon={tool('focus')}
        keys="F11"
        pressed={focus}
        onClick={() => desk.focus.set(!focus)}
      />
      <Tool label="导入文件" icon={<Icon name="upload" />} onClick={onImport} />
      <Tool label="快捷键" icon={tool('help')} onClick={onHelp} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out this way in every browser */}
      <span className={styles.segment} role="group" aria-label="视图">
        {modes.map((each) => (
          <Base.Button
            key={each.mode}
            data-mode={each.mode}
            aria-pressed={mode === each.mode}
            onClick={() => desk.choose(each.mode)}
          >
            {each.label}
          </Base.Button>
        ))}
      </span>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label="选择图片"
        onChange={({ currentTarget }) => {
          desk.pictures.add([...(currentTarget.files ?? [])].filter(isPicture));
          currentTarget.value = '';
        }}
      />
    </Base.Root>
  );
}
