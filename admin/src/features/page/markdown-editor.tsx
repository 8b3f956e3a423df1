import { CodeOutlined, LinkOutlined, PictureOutlined } from '@ant-design/icons';
import type { EditorView } from '@codemirror/view';
import { insertCode, insertLink } from '@mozhan/editor/commands.ts';
import { pasteAndDrop } from '@mozhan/editor/paste.ts';
import { createPictures, isPicture, type Pictures } from '@mozhan/editor/pictures.ts';
import { createSourceEditor, setReadOnly, textPort } from '@mozhan/editor/source-editor.ts';
import { useStore } from '@mozhan/editor/store.ts';
import { insertTable } from '@mozhan/editor/tables.ts';
import { type ToolShape, toolShapes } from '@mozhan/editor/tool-shapes.ts';
import {
  formatTools,
  insertTools,
  searchTool,
  slashTool,
  type ToolItem,
  titleOf,
} from '@mozhan/editor/tools.ts';
import { App, Button, Progress, Tooltip } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { sentenceOf } from '#admin/lib/errors.ts';
import styles from './markdown-editor.module.css';

const Shape = ({ name }: { name: ToolShape }) => (
  <svg className={styles.shape} viewBox="0 0 24 24" aria-hidden="true">
    <path d={toolShapes[name]} />
  </svg>
);

interface ToolProps {
  label: string;
  keys?: string | undefined;
  icon: ReactNode;
  disabled: boolean;
  onClick: () => void;
}

const Tool = ({ label, keys, icon, disabled, onClick }: ToolProps) => (
  <Tooltip title={titleOf({ label, keys })}>
    <Button
      type="text"
      size="small"
      icon={icon}
      aria-label={label}
      disabled={disabled}
      // The text keeps the focus and, on a phone, the keyboard.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    />
  </Tooltip>
);

const tableTool: ToolItem = { label: '表格', shape: 'table', run: (view) => insertTable(view, 3, 3) };

interface ToolsProps {
  view: EditorView | null;
  readOnly: boolean;
  onPickPictures: () => void;
}

function Tools({ view, readOnly, onPickPictures }: ToolsProps) {
  const off = readOnly || view === null;
  const run = (command: (view: EditorView) => unknown) => () => view !== null && command(view);
  const plain = ({ label, shape, keys, run: command }: ToolItem) => (
    <Tool
      key={label}
      label={label}
      keys={keys}
      icon={<Shape name={shape} />}
      disabled={off}
      onClick={run(command)}
    />
  );
  return (
    <div className={styles.tools} role="toolbar" aria-label="格式">
      {formatTools.flat().map(plain)}
      <Tool label="链接" keys="Ctrl K" icon={<LinkOutlined />} disabled={off} onClick={run(insertLink)} />
      <Tool label="图片" icon={<PictureOutlined />} disabled={off} onClick={onPickPictures} />
      <Tool label="代码块" icon={<CodeOutlined />} disabled={off} onClick={run(insertCode)} />
      {[tableTool, ...insertTools, slashTool].map(plain)}
      <Tool
        label={searchTool.label}
        keys={searchTool.keys}
        icon={<Shape name={searchTool.shape} />}
        disabled={view === null}
        onClick={run(searchTool.run)}
      />
    </div>
  );
}

function Uploads({ pictures }: { pictures: Pictures }) {
  const uploads = useStore(pictures.list);
  return uploads.map(({ token, name, fraction, problem }) => (
    <div key={token} className={styles.upload} role={problem === null ? undefined : 'alert'}>
      <span className={styles.file}>{problem === null ? name : `${name}：${problem}`}</span>
      {problem === null ? (
        <Progress size="small" percent={Math.round(fraction * 100)} aria-label={`上传进度：${name}`} />
      ) : (
        <>
          <Button size="small" onClick={() => pictures.retry(token)}>
            重试
          </Button>
          <Button size="small" onClick={() => pictures.remove(token)}>
            移除
          </Button>
        </>
      )}
    </div>
  ));
}

export interface MarkdownEditorProps {
  label: string;
  value: string;
  readOnly: boolean;
  onChange: (value: string) => void;
  /** Whether pictures are on their way: until then lines stand for them that nobody else can read. */
  onSending: (isSending: boolean) => void;
}

/** The editor that writers write with, around a text of the back office. */
export function MarkdownEditor({ label, value, readOnly, onChange, onSending }: MarkdownEditorProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const host = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const [pictures] = useState(() => createPictures(api, sentenceOf));
  /** The text that both sides know of. */
  const known = useRef(value);
  const latest = useRef({ label, value, readOnly, onChange });
  latest.current = { label, value, readOnly, onChange };

  useEffect(() => {
    if (host.current === null) return;
    const editor = createSourceEditor({
      host: host.current,
      label: latest.current.label,
      text: latest.current.value,
      readOnly: latest.current.readOnly,
      onChange() {
        const text = editor.state.doc.toString();
        if (text === known.current) return;
        known.current = text;
        latest.current.onChange(text);
      },
      onCursor() {},
      onScroll() {},
      onPictures: () => input.current?.click(),
      extensions: pasteAndDrop({ pictures, onProblem: (text) => message.warning(text) }),
    });
    pictures.connect(editor);
    setView(editor);
    return () => {
      pictures.connect(undefined);
      editor.destroy();
    };
  }, [pictures, message]);

  useEffect(() => {
    if (view === null || value === known.current) return;
    known.current = value;
    textPort(view).replace(value);
  }, [view, value]);

  useEffect(() => {
    if (view !== null) setReadOnly(view, readOnly);
  }, [view, readOnly]);

  const isSending = useStore(pictures.list).length > 0;
  useEffect(() => onSending(isSending), [isSending, onSending]);

  return (
    <div className={styles.editor}>
      <Tools view={view} readOnly={readOnly} onPickPictures={() => input.current?.click()} />
      <section ref={host} className={styles.host} aria-label="Markdown 源码" />
      <Uploads pictures={pictures} />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label="选择图片"
        onChange={({ currentTarget }) => {
          pictures.add([...(currentTarget.files ?? [])].filter(isPicture));
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
