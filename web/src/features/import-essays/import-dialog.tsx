import { messageOf } from '@mozhan/client/errors.ts';
import { useEffect, useRef, useState } from 'react';
import { canEdit } from '#web/features/own-essays/own-acts.ts';
import type { Desk } from '#web/features/writing/desk.ts';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { useSite } from '#web/lib/queries.ts';
import { Link } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FileInput } from '#web/ui/file-input.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './import-dialog.module.css';
import { type Imported, importEssays, importHere } from './import-essays.ts';
import { type Pack, readFiles } from './read-files.ts';

type Stage =
  | { at: 'choose' }
  | { at: 'read'; pack: Pack }
  | { at: 'work'; done: number; total: number }
  | { at: 'report'; done: Imported[]; pack: Pack };

interface ImportDialogProps {
  desk: Desk;
  /** Dropped into the editor. */
  given: File[];
  onOpenChange: (open: boolean) => void;
}

/** Markdown files and zips become drafts; one alone may also go into the text that is open. */
export function ImportDialog({ desk: { writing }, given, onOpenChange }: ImportDialogProps) {
  const api = useApi();
  const { basePath } = useApp();
  const { categories } = useSite();
  const [stage, setStage] = useState<Stage>({ at: 'choose' });
  const [problem, setProblem] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const [control] = useState(() => new AbortController());
  useEffect(() => () => control.abort(), [control]);

  async function read(files: File[]): Promise<void> {
    if (files.length === 0) return;
    const pack = await readFiles(files);
    setProblem(pack.texts.length === 0 ? '里面没有 Markdown 文件' : '');
    setStage(pack.texts.length === 0 ? { at: 'choose' } : { at: 'read', pack });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was dropped
  useEffect(() => void read(given), []);

  const setup = { api, siteUrl: location.origin + basePath, categories, signal: control.signal };

  async function importAll(pack: Pack): Promise<void> {
    const total = pack.texts.length;
    setStage({ at: 'work', done: 0, total });
    const onProgress = (done: number) => setStage({ at: 'work', done, total });
    const done = await importEssays(pack, { ...setup, onProgress });
    setStage({ at: 'report', done, pack });
  }

  async function putHere(pack: Pack): Promise<void> {
    try {
      const found = await importHere(pack, { ...setup, onProgress: () => {} });
      if (found === null) return;
      const { draft, skipped } = found;
      const now = writing.read();
      const content = [now.content.trimEnd(), draft.content].filter(Boolean).join('\n\n');
      writing.setText(content);
      writing.set({
        title: now.title || draft.title,
        tags: now.tags.length > 0 ? now.tags : draft.tags,
        categoryId: now.categoryId ?? draft.categoryId,
        summary: now.summary || draft.summary,
        // The price and what belongs to it come together.
        ...(now.price > 0
          ? {}
          : { price: draft.price, memberFree: draft.memberFree, previewPercent: draft.previewPercent }),
        // Of whom the words are, too.
        ...(now.declaration === 'none' ? { declaration: draft.declaration, source: draft.source } : {}),
      });
      toast(
        skipped.length > 0 ? `已放进正文；${skipped.join('；')}` : '已放进正文',
        skipped.length > 0 ? 'warn' : 'ok',
      );
      onOpenChange(false);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="导入文件"
      description="选择 .md 文件，或装有 .md 与图片的 zip，可以一次选很多。每个 .md 成为一篇草稿，图片会一起上传。"
      footer={
        stage.at === 'read' ? (
          <>
            {stage.pack.texts.length === 1 && canEdit(writing.facts.get()) ? (
              <Button onClick={() => putHere(stage.pack)}>放进当前正文</Button>
            ) : null}
            <Button look="primary" onClick={() => importAll(stage.pack)}>
              导入为 {stage.pack.texts.length} 篇草稿
            </Button>
          </>
        ) : null
      }
    >
      {problem === '' ? null : <Notice tone="bad">{problem}</Notice>}
      {stage.at === 'choose' ? (
        <Button onClick={() => input.current?.click()}>
          <Icon name="upload" small />
          选择文件
        </Button>
      ) : null}
      {stage.at === 'read' ? (
        <p>
          找到 {stage.pack.texts.length} 个 Markdown 文件、{stage.pack.pictures.size} 张图片。
        </p>
      ) : null}
      {stage.at === 'work' ? (
        <div className="stack gap-2" role="status">
          正在导入 {stage.done} / {stage.total}
          <Progress value={stage.done / stage.total} label="导入进度" />
        </div>
      ) : null}
      {stage.at === 'report' ? <Report done={stage.done} pack={stage.pack} /> : null}
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

/** What became of each file. */
function Report({ done, pack }: { done: Imported[]; pack: Pack }) {
  const made = done.filter(({ id }) => id !== null).length;
  return (
    <div className={styles.report} role="status">
      <p>
        导入了 {made} 篇草稿{made < done.length ? `，${done.length - made} 个没有导入` : ''}。
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
