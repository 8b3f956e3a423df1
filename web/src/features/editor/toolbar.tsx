import { Popover } from '@base-ui/react/popover';
import { Toolbar as Base } from '@base-ui/react/toolbar';
import type { EditorView } from '@codemirror/view';
import * as commands from '@mozhan/editor/commands.ts';
import { isPicture } from '@mozhan/editor/picture-uploads.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { type ToolIconName, toolIconPaths } from '@mozhan/editor/tool-icons.ts';
import {
  formatTools,
  insertTools,
  searchTool,
  slashTool,
  type ToolItem,
  toolTitle,
} from '@mozhan/editor/tools.ts';
import { type ReactElement, useRef, useState } from 'react';
import type { EditorModel, ViewMode } from '#web/features/writing/editor-model.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmojiPicker } from '#web/ui/emoji-picker.tsx';
import { FileInput } from '#web/ui/file-input.tsx';
import { IconSvg } from '#web/ui/icon.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { TableHelper } from './table-helper.tsx';
import styles from './toolbar.module.css';

const ToolIcon = ({ name }: { name: ToolIconName }) => <IconSvg path={toolIconPaths[name]} />;

interface ToolProps {
  label: string;
  icon: ReactElement;
  keys?: string;
  pressed?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

const toolClass = `${buttonClass({ variant: 'ghost', size: 'small', square: true })} ${styles.tool}`;

const Tool = ({ label, icon, keys, pressed, disabled, onClick }: ToolProps) => (
  <Base.Button
    className={toolClass}
    aria-label={label}
    aria-pressed={pressed}
    disabled={disabled}
    title={toolTitle({ label, keys })}
    // The text keeps the focus, and on a phone the keyboard stays open.
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
          <Popover.Popup className={`popup text-m ${styles.popup}`} aria-label={label} finalFocus={false}>
            {children(() => setOpen(false))}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

const modes: { mode: ViewMode; label: string; name?: string }[] = [
  { mode: 'source', label: '源码' },
  { mode: 'live', label: '即时', name: '即时排版' },
  { mode: 'split', label: '双栏' },
  { mode: 'preview', label: '预览' },
];

const Divider = () => <Base.Separator className={styles.line} />;

interface ToolbarProps {
  editor: EditorModel;
  readOnly: boolean;
  onImport: () => void;
  onHelp: () => void;
}

/** One tab stop; arrow keys move between the tools. */
export function Toolbar({ editor, readOnly, onImport, onHelp }: ToolbarProps) {
  const view = useStoreValue(editor.view);
  const mode = useStoreValue(editor.mode);
  const outline = useStoreValue(editor.outline);
  const focus = useStoreValue(editor.focus);
  const inTable = useStoreValue(editor.inTable);
  const input = useRef<HTMLInputElement>(null);
  const isDisabled = readOnly || view === null;
  const run = (command: (view: EditorView) => unknown) => {
    if (view !== null) command(view);
  };
  const renderTool = ({ label, icon, keys, run: command }: ToolItem) => (
    <Tool
      key={label}
      label={label}
      icon={<ToolIcon name={icon} />}
      keys={keys}
      disabled={isDisabled}
      onClick={() => run(command)}
    />
  );

  return (
    <Base.Root className={`row gap-2 divided ${styles.tools}`} aria-label="格式">
      <div
        className={`row grow ${styles.strip}`}
        // A mouse wheel scrolls vertically only, and nothing here does.
        onWheel={({ currentTarget, deltaY }) => {
          currentTarget.scrollLeft += deltaY;
        }}
      >
        {formatTools.map((group) => (
          <div key={group[0]?.label} className={styles.group}>
            {group.map(renderTool)}
            <Divider />
          </div>
        ))}
        <Tool
          label="链接"
          icon={<Icon name="link" />}
          keys="Ctrl K"
          disabled={isDisabled}
          onClick={() => run(commands.insertLink)}
        />
        <Tool
          label="图片"
          icon={<Icon name="image" />}
          disabled={isDisabled}
          onClick={() => input.current?.click()}
        />
        <Tool
          label="代码块"
          icon={<Icon name="code" />}
          disabled={isDisabled}
          onClick={() => run(commands.insertCode)}
        />
        <ToolPopover label="表格" icon="table" disabled={isDisabled}>
          {(close) => (view === null ? <p /> : <TableHelper view={view} inTable={inTable} onDone={close} />)}
        </ToolPopover>
        {insertTools.map(renderTool)}
        <ToolPopover label="表情" icon="smile" disabled={isDisabled}>
          {(close) => (
            <EmojiPicker
              onPick={(emoji) => {
                close();
                run((target) => commands.insertTemplate(target, emoji));
              }}
            />
          )}
        </ToolPopover>
        <Divider />
        {renderTool(slashTool)}
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
          onClick={() => editor.outline.set(!outline)}
        />
        <Tool
          label="专注模式"
          icon={<ToolIcon name="focus" />}
          keys="F11"
          pressed={focus}
          onClick={() => editor.focus.set(!focus)}
        />
        <Tool label="导入文件" icon={<Icon name="upload" />} onClick={onImport} />
        <Tool label="快捷键" icon={<ToolIcon name="help" />} onClick={onHelp} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: not every browser can style a fieldset like this */}
      <span className={styles.segment} role="group" aria-label="视图">
        {modes.map((each) => (
          <Base.Button
            key={each.mode}
            data-mode={each.mode}
            aria-label={each.name}
            aria-pressed={mode === each.mode}
            onClick={() => editor.setMode(each.mode)}
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
        onFiles={(files) => editor.pictures.add(files.filter(isPicture))}
      />
    </Base.Root>
  );
}
