import { Toolbar as Base } from '@base-ui/react/toolbar';
import type { EditorView } from '@codemirror/view';
import * as commands from '@mozhan/editor/commands.ts';
import { isPicture } from '@mozhan/editor/picture-uploads.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { formatTools, insertTools, searchTool, slashTool, type ToolItem } from '@mozhan/editor/tools.ts';
import { useRef } from 'react';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { EmojiPicker } from '#web/ui/emoji-picker.tsx';
import { FileInput } from '#web/ui/file-input.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';
import { ModeSwitch, useNarrowScreen } from './mode-switch.tsx';
import { PictureSource } from './picture-source.tsx';
import { TableHelper } from './table-helper.tsx';
import { ToolIcon } from './tool-icon.tsx';
import { type ToolEntry, ToolStrip } from './tool-strip.tsx';
import styles from './toolbar.module.css';

/** The tools that come first on a phone, where few fit. */
const PHONE_FIRST = ['撤销', '图片', '标题', '加粗', '列表', '链接', '引用', '插入菜单'];

function sortForPhone(tools: readonly ToolEntry[]): ToolEntry[] {
  const rank = ({ label }: ToolEntry) => {
    const found = PHONE_FIRST.indexOf(label);
    return found < 0 ? PHONE_FIRST.length : found;
  };
  return tools.map((tool) => ({ ...tool, startsGroup: false })).sort((a, b) => rank(a) - rank(b));
}

const hasCamera = () => matchMedia('(pointer: coarse)').matches;

interface ToolbarProps {
  editor: EditorModel;
  readOnly: boolean;
  onImport: () => void;
  onHelp: () => void;
}

/** One tab stop; arrow keys move between the tools. */
export function Toolbar({ editor, readOnly, onImport, onHelp }: ToolbarProps) {
  const view = useStoreValue(editor.view);
  const outline = useStoreValue(editor.outline);
  const focus = useStoreValue(editor.focus);
  const inTable = useStoreValue(editor.inTable);
  const album = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const isNarrow = useNarrowScreen();
  const disabled = readOnly || view === null;
  const run = (command: (view: EditorView) => unknown) => {
    if (view !== null) command(view);
  };
  const toEntry = ({ label, icon, keys, run: command }: ToolItem): ToolEntry => ({
    label,
    icon: <ToolIcon name={icon} />,
    keys,
    disabled,
    onClick: () => run(command),
  });
  const pictureTool: ToolEntry = {
    label: '图片',
    icon: <ToolIcon name="image" />,
    disabled,
    ...(hasCamera()
      ? {
          popup: (close) => (
            <PictureSource
              onCamera={() => {
                close();
                camera.current?.click();
              }}
              onAlbum={() => {
                close();
                album.current?.click();
              }}
            />
          ),
        }
      : { onClick: () => album.current?.click() }),
  };

  const tools: ToolEntry[] = [
    ...formatTools.flatMap((group) =>
      group.map((tool, index) => ({ ...toEntry(tool), startsGroup: index === 0 })),
    ),
    {
      ...toEntry({ label: '链接', icon: 'link', keys: 'Ctrl K', run: commands.insertLink }),
      startsGroup: true,
    },
    pictureTool,
    toEntry({ label: '代码块', icon: 'code', run: commands.insertCode }),
    {
      label: '表格',
      icon: <ToolIcon name="table" />,
      disabled,
      popup: (close) =>
        view === null ? <p /> : <TableHelper view={view} inTable={inTable} onDone={close} />,
    },
    ...insertTools.map(toEntry),
    {
      label: '表情',
      icon: <ToolIcon name="smile" />,
      disabled,
      popup: (close) => (
        <EmojiPicker
          onPick={(emoji) => {
            close();
            run((target) => commands.insertTemplate(target, emoji));
          }}
        />
      ),
    },
    { ...toEntry(slashTool), startsGroup: true },
    { ...toEntry(searchTool), disabled: view === null },
    {
      label: '大纲',
      icon: <ToolIcon name="tree" />,
      pressed: outline,
      onClick: () => editor.outline.set(!outline),
    },
    {
      label: '专注模式',
      icon: <ToolIcon name="focus" />,
      keys: 'F11',
      pressed: focus,
      onClick: () => editor.focus.set(!focus),
    },
    { label: '导入文件', icon: <Icon name="upload" />, onClick: onImport },
    { label: '快捷键', icon: <ToolIcon name="help" />, onClick: onHelp },
  ];

  function addPictures(files: File[]): void {
    editor.pictures.add(files.filter(isPicture));
    if (!files.every(isPicture)) toast('只能插入 PNG、JPEG、WebP 和 GIF 图片', 'warn');
  }

  return (
    <Base.Root className={`row gap-2 divided ${styles.tools}`} aria-label="格式">
      {isNarrow ? <ModeSwitch editor={editor} /> : null}
      <ToolStrip tools={isNarrow ? sortForPhone(tools) : tools} />
      {isNarrow ? null : <ModeSwitch editor={editor} />}
      <FileInput
        ref={album}
        label="选择图片"
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif"
        onFiles={addPictures}
      />
      <FileInput ref={camera} label="拍照" accept="image/*" capture="environment" onFiles={addPictures} />
    </Base.Root>
  );
}
