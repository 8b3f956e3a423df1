import { preloadFind } from '@mozhan/editor/find/open-find.ts';
import { isPicture } from '@mozhan/editor/picture-uploads.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { canEditEssay } from '#web/features/own-essays/essay-actions.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { lazyComponent } from '#web/lib/lazy-component.ts';
import { toggleTheme } from '#web/lib/theme.ts';
import { Link } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { FileInput } from '#web/ui/file-input.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Optional } from '#web/ui/optional.tsx';
import styles from './editor-screen.module.css';
import { EssayStatusNotice } from './essay-status-notice.tsx';
import { FirstDraft } from './first-draft.tsx';
import { LengthNotice } from './length-notice.tsx';
import { OutlinePanel } from './outline-panel.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { SaveFailureNotice, SaveStatus } from './save-status.tsx';
import { SourcePane } from './source-pane.tsx';
import { StatusBar } from './status-bar.tsx';
import { Toolbar } from './toolbar.tsx';
import { useVisibleArea } from './use-visible-area.ts';

const PublishDrawer = lazyComponent(
  () => import('#web/features/publishing/publish-drawer.tsx'),
  'PublishDrawer',
);
const VersionHistory = lazyComponent(
  () => import('#web/features/versions/version-history.tsx'),
  'VersionHistory',
);
const ConflictDialog = lazyComponent(
  () => import('#web/features/versions/conflict-dialog.tsx'),
  'ConflictDialog',
);
const ImportDialog = lazyComponent(
  () => import('#web/features/import-essays/import-dialog.tsx'),
  'ImportDialog',
);
const ShortcutHelp = lazyComponent(() => import('./shortcut-help.tsx'), 'ShortcutHelp');
const panels = [PublishDrawer, VersionHistory, ConflictDialog, ImportDialog, ShortcutHelp];

const PRELOAD_DELAY_MS = 3000;

/** Preloads the panels, so that they open at once, also when the network is lost later. */
function usePreloadedPanels(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const preload of [...panels.map(({ preload }) => preload), preloadFind]) preload().catch(() => {});
    }, PRELOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
}

type Panel = 'publish' | 'history' | 'conflict' | 'import' | 'help';

const MAX_TITLE_LENGTH = 100;

export function EditorScreen({ editor }: { editor: EditorModel }) {
  const { essay } = editor;
  const { title } = useStoreValue(essay.fields);
  const statusInfo = useStoreValue(essay.statusInfo);
  const mode = useStoreValue(editor.mode);
  const focus = useStoreValue(editor.focus);
  const outline = useStoreValue(editor.outline);
  const theirs = useStoreValue(essay.theirs);
  const [panel, setPanel] = useState<Panel | null>(null);
  const [dropped, setDropped] = useState<File[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const readOnly = !canEditEssay(statusInfo);
  const visibleMode = !focus ? mode : mode === 'live' ? 'live' : 'source';

  useEffect(() => essay.start(), [essay]);
  usePreloadedPanels();
  useVisibleArea(box, editor);

  function onKeyDown(event: KeyboardEvent): void {
    // The input method handles keys while it composes.
    if (event.nativeEvent.isComposing) return;
    const isSave = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 's';
    if (isSave) {
      event.preventDefault();
      void essay.autosave.flush();
    } else if (event.key === 'F11') {
      event.preventDefault();
      editor.focus.set(!focus);
    } else if (event.key === 'Escape' && focus) editor.focus.set(false);
  }

  function openImport(files: File[]): void {
    setDropped(files);
    setPanel('import');
  }

  const onOpenChange = (open: boolean) => {
    if (!open) setPanel(null);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keyboard shortcuts of its content
    <div
      ref={box}
      className={styles.editor}
      data-shown={visibleMode}
      data-focus={focus || undefined}
      onKeyDown={onKeyDown}
    >
      <header className={`row gap-2 divided ${styles.top}`}>
        <h1 className="sr">编辑文章</h1>
        <Link
          to="/account/center.html"
          className={buttonClass({ variant: 'ghost', square: true })}
          aria-label="返回我的主页"
        >
          <Icon name="back" />
        </Link>
        <input
          className={`grow bold ${styles.title}`}
          aria-label="标题"
          placeholder="标题"
          value={title}
          maxLength={MAX_TITLE_LENGTH}
          readOnly={readOnly}
          onChange={({ target }) => essay.set({ title: target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            editor.view.get()?.focus();
          }}
        />
        <SaveStatus essay={essay} />
        <span className={styles.wideTools}>
          <Button variant="ghost" square aria-label="切换深浅色" onClick={toggleTheme}>
            <Icon name="moon" />
          </Button>
        </span>
        <Button variant="ghost" onClick={() => setPanel('history')}>
          <span>
            历史<span className={styles.wide}>版本</span>
          </span>
        </Button>
        {readOnly ? null : (
          <Button variant="primary" onClick={() => setPanel('publish')}>
            发布
          </Button>
        )}
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <Toolbar
          editor={editor}
          readOnly={readOnly}
          onImport={() => openImport([])}
          onHelp={() => setPanel('help')}
        />
        <div className={styles.notes}>
          {essay.author === null || focus ? null : (
            <Alert>
              代 {essay.author.displayName}{' '}
              撰写：版本会注明由你修改，作者会收到通知；提交后和别的文章一样审核。
            </Alert>
          )}
          {focus ? null : <EssayStatusNotice essay={essay} />}
          {focus || readOnly ? null : <FirstDraft editor={editor} />}
          <LengthNotice editor={editor} />
          <SaveFailureNotice essay={essay} onCompare={() => setPanel('conflict')} />
        </div>
        <div className={styles.panes} data-outline={(outline && !focus) || undefined}>
          {outline && !focus ? <OutlinePanel editor={editor} /> : null}
          <SourcePane
            editor={editor}
            readOnly={readOnly}
            isLive={visibleMode === 'live'}
            className={styles.source}
            hidden={visibleMode === 'preview'}
            onTextFiles={openImport}
            onPickPictures={() => picker.current?.click()}
          />
          <PreviewPane
            editor={editor}
            hidden={visibleMode === 'source' || visibleMode === 'live'}
            syncsScroll={visibleMode === 'split'}
          />
        </div>
      </main>
      <StatusBar editor={editor} />
      <FileInput
        ref={picker}
        label="插入图片"
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif"
        onFiles={(files) => editor.pictures.add(files.filter(isPicture))}
      />
      <Optional key={panel}>
        {panel === 'publish' ? <PublishDrawer editor={editor} onOpenChange={onOpenChange} /> : null}
        {panel === 'history' ? <VersionHistory editor={editor} onOpenChange={onOpenChange} /> : null}
        {panel === 'conflict' && theirs !== null ? (
          <ConflictDialog key={theirs.version} essay={essay} theirs={theirs} onOpenChange={onOpenChange} />
        ) : null}
        {panel === 'import' ? (
          <ImportDialog editor={editor} initialFiles={dropped} onOpenChange={onOpenChange} />
        ) : null}
        {panel === 'help' ? <ShortcutHelp onOpenChange={onOpenChange} /> : null}
      </Optional>
    </div>
  );
}
