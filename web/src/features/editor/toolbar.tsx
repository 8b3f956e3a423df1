import { Popover } from '@base-ui/react/popover';
import { Toolbar as Base } from '@base-ui/react/toolbar';
import type { EditorView } from '@codemirror/view';
import * as commands from '@mozhan/editor/commands.ts';
import { isPicture } from '@mozhan/editor/pictures.ts';
import { useStore } from '@mozhan/editor/store.ts';
import { type ToolShape, toolShapes } from '@mozhan/editor/tool-shapes.ts';
import {
  formatTools,
  insertTools,
  searchTool,
  slashTool,
  type ToolItem,
  titleOf,
} from '@mozhan/editor/tools.ts';
import { type ReactElement, useRef, useState } from 'react';
import type { Desk, ViewMode } from '#web/features/writing/desk.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmojiPicker } from '#web/ui/emoji-picker.tsx';
import { FileInput } from '#web/ui/file-input.tsx';
import { Shape } from '#web/ui/icon.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { TableHelper } from './table-helper.tsx';
import styles from './toolbar.module.css';

const ToolIcon = ({ name }: { name: ToolShape }) => <Shape path={toolShapes[name]} />;

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
    title={titleOf({ label, keys })}
    // The text keeps the focus and, on a phone, the keyboard.
    onMouseDown={(event) => event.preventDefault()}
    onClick={onClick}
  >
    {icon}
  </Base.Button>
);

interface ToolPopoverProps {
  label: string;
  icon: ToolShape;
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
          <Popover.Popup className={`popup text-m ${styles.popup}`} aria-label={label} finalFocus={false}>
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
  const plain = ({ label, shape, keys, run: command }: ToolItem) => (
    <Tool
      key={label}
      label={label}
      icon={<ToolIcon name={shape} />}
      keys={keys}
      disabled={off}
      onClick={() => run(command)}
    />
  );

  return (
    <Base.Root className={`row gap-2 divided ${styles.tools}`} aria-label="格式">
      <div
        className={`row grow ${styles.strip}`}
        // A mouse wheel turns one way only; nothing else here scrolls up or down.
        onWheel={({ currentTarget, deltaY }) => {
          currentTarget.scrollLeft += deltaY;
        }}
      >
        {formatTools.map((group) => (
          <div key={group[0]?.label} className={styles.group}>
            {group.map(plain)}
            <Line />
          </div>
        ))}
        <Tool
          label="链接"
          icon={<Icon name="link" />}
          keys="Ctrl K"
          disabled={off}
          onClick={() => run(commands.insertLink)}
        />
        <Tool
          label="图片"
          icon={<Icon name="image" />}
          disabled={off}
          onClick={() => input.current?.click()}
        />
        <Tool
          label="代码块"
          icon={<Icon name="code" />}
          disabled={off}
          onClick={() => run(commands.insertCode)}
        />
        <ToolPopover label="表格" icon="table" disabled={off}>
          {(close) => (view === null ? <p /> : <TableHelper view={view} inTable={inTable} onDone={close} />)}
        </ToolPopover>
        {insertTools.map(plain)}
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
        {plain(slashTool)}
        <Tool
          label={searchTool.label}
          icon={<ToolIcon name="search" />}
          keys="Ctrl F"
          onClick={() => run(searchTool.run)}
        />
        <Tool
          label="大纲"
          icon={<ToolIcon name="tree" />}
          pressed={outline}
          onClick={() => desk.outline.set(!outline)}
        />
        <Tool
          label="专注模式"
          icon={<ToolIcon name="focus" />}
          keys="F11"
          pressed={focus}
          onClick={() => desk.focus.set(!focus)}
        />
        <Tool label="导入文件" icon={<Icon name="upload" />} onClick={onImport} />
        <Tool label="快捷键" icon={<ToolIcon name="help" />} onClick={onHelp} />
      </div>
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
      <FileInput
        ref={input}
        label="选择图片"
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif"
        onFiles={(files) => desk.pictures.add(files.filter(isPicture))}
      />
    </Base.Root>
  );
}
