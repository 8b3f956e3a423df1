import { errorMessageOf } from '@mozhan/client/errors.ts';
import { useEffect, useRef, useState } from 'react';
import { canEditEssay } from '#web/features/own-essays/essay-actions.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { useSite } from '#web/lib/queries.ts';
import { Link } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FileInput } from '#web/ui/file-input.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './import-dialog.module.css';
import { type ImportResult, importEssays, parseForEditor } from './import-essays.ts';
import { type ImportFiles, readFiles } from './read-files.ts';

type Stage =
  | { step: 'choose' }
  | { step: 'read'; pack: ImportFiles }
  | { step: 'work'; done: number; total: number }
  | { step: 'report'; done: ImportResult[]; pack: ImportFiles };

interface ImportDialogProps {
  editor: EditorModel;
  /** Files that were dropped into the editor. */
  initialFiles: File[];
  onOpenChange: (open: boolean) => void;
}

/** Imports Markdown files and zips as drafts; a single file can also be inserted into the open essay. */
export function ImportDialog({ editor: { essay }, initialFiles, onOpenChange }: ImportDialogProps) {
  const api = useApi();
  const { basePath } = useApp();
  const { categories } = useSite();
  const [stage, setStage] = useState<Stage>({ step: 'choose' });
  const [problem, setProblem] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const [controller] = useState(() => new AbortController());
  useEffect(() => () => controller.abort(), [controller]);

  async function read(files: File[]): Promise<void> {
    if (files.length === 0) return;
    const pack = await readFiles(files);
    setProblem(pack.texts.length === 0 ? '里面没有 Markdown 文件' : '');
    setStage(pack.texts.length === 0 ? { step: 'choose' } : { step: 'read', pack });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for the dropped files
  useEffect(() => void read(initialFiles), []);

  const setup = {
    api,
    siteUrl: location.origin + basePath,
    categories,
    authorId: essay.author?.id,
    signal: controller.signal,
  };

  async function importAll(pack: ImportFiles): Promise<void> {
    const total = pack.texts.length;
    setStage({ step: 'work', done: 0, total });
    const onProgress = (done: number) => setStage({ step: 'work', done, total });
    const done = await importEssays(pack, { ...setup, onProgress });
    setStage({ step: 'report', done, pack });
  }

  async function insertIntoEditor(pack: ImportFiles): Promise<void> {
    try {
      const parsed = await parseForEditor(pack, { ...setup, onProgress: () => {} });
      if (parsed === null) return;
      const { draft, skipped } = parsed;
      const current = essay.read();
      const content = [current.content.trimEnd(), draft.content].filter(Boolean).join('\n\n');
      essay.setText(content);
      essay.set({
        title: current.title || draft.title,
        tags: current.tags.length > 0 ? current.tags : draft.tags,
        categoryId: current.categoryId ?? draft.categoryId,
        summary: current.summary || draft.summary,
        // The fields of the price are only imported together.
        ...(current.price > 0
          ? {}
          : { price: draft.price, memberFree: draft.memberFree, previewPercent: draft.previewPercent }),
        // So are the declaration and the source.
        ...(current.declaration === 'none' ? { declaration: draft.declaration, source: draft.source } : {}),
      });
      toast(
        skipped.length > 0 ? `已放进正文；${skipped.join('；')}` : '已放进正文',
        skipped.length > 0 ? 'warn' : 'ok',
      );
      onOpenChange(false);
    } catch (error) {
      setProblem(errorMessageOf(error));
    }
  }

  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="导入文件"
      description="选择 .md 文件，或装有 .md 与图片的 zip，可以一次选很多。每个 .md 成为一篇草稿，图片会一起上传。"
      footer={
        stage.step === 'read' ? (
          <>
            {stage.pack.texts.length === 1 && canEditEssay(essay.statusInfo.get()) ? (
              <Button onClick={() => insertIntoEditor(stage.pack)}>放进当前正文</Button>
            ) : null}
            <Button variant="primary" onClick={() => importAll(stage.pack)}>
              导入为 {stage.pack.texts.length} 篇草稿
            </Button>
          </>
        ) : null
      }
    >
      {problem === '' ? null : <Alert tone="bad">{problem}</Alert>}
      {stage.step === 'choose' ? (
        <Button onClick={() => input.current?.click()}>
          <Icon name="upload" small />
          选择文件
        </Button>
      ) : null}
      {stage.step === 'read' ? (
        <p>
          找到 {stage.pack.texts.length} 个 Markdown 文件、{stage.pack.pictures.size} 张图片。
        </p>
      ) : null}
      {stage.step === 'work' ? (
        <div className="stack gap-2" role="status">
          正在导入 {stage.done} / {stage.total}
          <Progress value={stage.done / stage.total} label="导入进度" />
        </div>
      ) : null}
      {stage.step === 'report' ? <ImportReport done={stage.done} pack={stage.pack} /> : null}
      <FileInput
        ref={input}
        label="选择要导入的文件"
        multiple
        accept=".md,.markdown,.txt,.zip,.png,.jpg,.jpeg,.webp,.gif"
        onFiles={read}
      />
    </Dialog>
  );
}

function ImportReport({ done, pack }: { done: ImportResult[]; pack: ImportFiles }) {
  const importedCount = done.filter(({ id }) => id !== null).length;
  return (
    <div className={styles.report} role="status">
      <p>
        导入了 {importedCount} 篇草稿
        {importedCount < done.length ? `，${done.length - importedCount} 个没有导入` : ''}。
      </p>
      <ul>
        {done.map(({ path, id, title, remarks }) => (
          <li key={path}>
            {id === null ? (
              <span>{path}</span>
            ) : (
              <Link to="/essay/edit.html" search={{ id }} target="_blank" className="link">
                {title}
              </Link>
            )}
            {remarks.map((remark) => (
              <small key={remark}>{remark}</small>
            ))}
          </li>
        ))}
        {pack.skipped.map(({ name, reason }) => (
          <li key={name}>
            <span>{name}</span>
            <small>{reason}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}
