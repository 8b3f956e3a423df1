import { CodeOutlined, LinkOutlined, PictureOutlined } from '@ant-design/icons';
import type { EditorView } from '@codemirror/view';
import { insertCode, insertLink } from '@mozhan/editor/commands.ts';
import { pasteAndDropHandlers } from '@mozhan/editor/paste.ts';
import {
  createPictureUploads,
  isPicture,
  isRemote,
  type PictureUploads,
} from '@mozhan/editor/picture-uploads.ts';
import { createSourceEditor, createTextDocument, setReadOnly } from '@mozhan/editor/source-editor.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { insertTable } from '@mozhan/editor/tables.ts';
import { type ToolIconName, toolIconPaths } from '@mozhan/editor/tool-icons.ts';
import {
  formatTools,
  insertTools,
  searchTool,
  slashTool,
  type ToolItem,
  toolTitle,
} from '@mozhan/editor/tools.ts';
import { App, Button, Progress, Tooltip } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { errorMessage } from '#admin/lib/error-message.ts';
import styles from './markdown-editor.module.css';

const Shape = ({ name }: { name: ToolIconName }) => (
  <svg className={styles.shape} viewBox="0 0 24 24" aria-hidden="true">
    <path d={toolIconPaths[name]} />
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
  <Tooltip title={toolTitle({ label, keys })}>
    <Button
      type="text"
      size="small"
      icon={icon}
      aria-label={label}
      disabled={disabled}
      // Keeps the focus in the text and, on phones, the keyboard open.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    />
  </Tooltip>
);

const tableTool: ToolItem = { label: '表格', icon: 'table', run: (view) => insertTable(view, 3, 3) };

interface ToolsProps {
  view: EditorView | null;
  readOnly: boolean;
  onPickPictures: () => void;
}

function Tools({ view, readOnly, onPickPictures }: ToolsProps) {
  const off = readOnly || view === null;
  const run = (command: (view: EditorView) => unknown) => () => view !== null && command(view);
  const plain = ({ label, icon, keys, run: command }: ToolItem) => (
    <Tool
      key={label}
      label={label}
      keys={keys}
      icon={<Shape name={icon} />}
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
        icon={<Shape name={searchTool.icon} />}
        disabled={view === null}
        onClick={run(searchTool.run)}
      />
    </div>
  );
}

function Uploads({ pictures }: { pictures: PictureUploads }) {
  const uploads = useStoreValue(pictures.list);
  const remote = uploads.filter(isRemote);
  const [failed, ...others] = remote.filter(({ problem }) => problem !== null);
  const fetching = remote.filter(({ problem }) => problem === null);
  return (
    <>
      {uploads
        .filter((each) => !isRemote(each))
        .map(({ token, name, fraction, problem }) => (
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
        ))}
      {fetching.length > 0 ? (
        <div className={styles.upload} role="status">
          正在转存 {fetching.length} 张网络图片…
        </div>
      ) : failed === undefined ? null : (
        <div className={styles.upload} role="alert">
          <span className={styles.file}>
            {others.length + 1} 张图片没能转存（{failed.problem}），仍用原来的地址，发布后会显示为链接
          </span>
          <Button size="small" onClick={() => pictures.retryRemote()}>
            重试
          </Button>
          <Button size="small" onClick={() => pictures.keepRemote()}>
            知道了
          </Button>
        </div>
      )}
    </>
  );
}

export interface MarkdownEditorProps {
  label: string;
  value: string;
  readOnly: boolean;
  onChange: (value: string) => void;
  /** True while images upload: the text then contains placeholder lines. */
  onSending: (isSending: boolean) => void;
}

/** The writers' Markdown editor with a toolbar of the back office. */
export function MarkdownEditor({ label, value, readOnly, onChange, onSending }: MarkdownEditorProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const host = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const [pictures] = useState(() => createPictureUploads(api, errorMessage, (text) => message.info(text)));
  /** Last text exchanged with the parent, to detect changes from outside. */
  const lastText = useRef(value);
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
        if (text === lastText.current) return;
        lastText.current = text;
        latest.current.onChange(text);
      },
      onCursor() {},
      onScroll() {},
      onPictures: () => input.current?.click(),
      extensions: pasteAndDropHandlers({ pictures, onError: (text) => message.warning(text) }),
    });
    pictures.connect(editor);
    setView(editor);
    return () => {
      pictures.connect(undefined);
      editor.destroy();
    };
  }, [pictures, message]);

  useEffect(() => {
    if (view === null || value === lastText.current) return;
    lastText.current = value;
    createTextDocument(view).replace(value);
  }, [view, value]);

  useEffect(() => {
    if (view !== null) setReadOnly(view, readOnly);
  }, [view, readOnly]);

  const isSending = useStoreValue(pictures.list).some((each) => !isRemote(each));
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
