import { isPicture } from '@mozhan/editor/pictures.ts';
import { useStore } from '@mozhan/editor/store.ts';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { canEdit } from '#web/features/own-essays/own-acts.ts';
import type { Desk } from '#web/features/writing/desk.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { toggleTheme } from '#web/lib/theme.ts';
import { Link } from '#web/router/router.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { FileInput } from '#web/ui/file-input.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Optional } from '#web/ui/optional.tsx';
import { EssayState } from './essay-state.tsx';
import { OutlinePanel } from './outline-panel.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { SaveStatus, SaveTrouble } from './save-status.tsx';
import { SourcePane } from './source-pane.tsx';
import { StatusBar } from './status-bar.tsx';
import { Toolbar } from './toolbar.tsx';
import styles from './writer.module.css';

const loads = {
  publish: () => import('#web/features/publishing/publish-drawer.tsx'),
  history: () => import('#web/features/versions/history.tsx'),
  conflict: () => import('#web/features/versions/conflict.tsx'),
  import: () => import('#web/features/import-essays/import-dialog.tsx'),
  help: () => import('./help.tsx'),
};

const PublishDrawer = lazyPart(loads.publish, 'PublishDrawer');
const History = lazyPart(loads.history, 'History');
const Conflict = lazyPart(loads.conflict, 'Conflict');
const ImportDialog = lazyPart(loads.import, 'ImportDialog');
const Help = lazyPart(loads.help, 'Help');

const FETCH_AFTER_MS = 3000;

/** Fetched in a quiet moment: who is offline later has them already. */
function useFetchedPanels(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of Object.values(loads)) load().catch(() => {});
    }, FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

type Panel = keyof typeof loads;

const TITLE_MOST = 100;

/** The whole editor around one essay. */
export function Writer({ desk }: { desk: Desk }) {
  const { writing } = desk;
  const { title } = useStore(writing.fields);
  const facts = useStore(writing.facts);
  const mode = useStore(desk.mode);
  const focus = useStore(desk.focus);
  const outline = useStore(desk.outline);
  const theirs = useStore(writing.theirs);
  const [panel, setPanel] = useState<Panel | null>(null);
  const [dropped, setDropped] = useState<File[]>([]);
  const picker = useRef<HTMLInputElement>(null);
  const readOnly = !canEdit(facts);
  const shown = focus ? 'source' : mode;

  useEffect(() => writing.start(), [writing]);
  useFetchedPanels();

  function onKeyDown(event: KeyboardEvent): void {
    // Keys belong to the input method while it composes.
    if (event.nativeEvent.isComposing) return;
    const isSave = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 's';
    if (isSave) {
      event.preventDefault();
      void writing.autosave.flush();
    } else if (event.key === 'F11') {
      event.preventDefault();
      desk.focus.set(!focus);
    } else if (event.key === 'Escape' && focus) desk.focus.set(false);
  }

  function openTexts(files: File[]): void {
    setDropped(files);
    setPanel('import');
  }

  const onOpenChange = (open: boolean) => {
    if (!open) setPanel(null);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts for what is inside
    <div className={styles.editor} data-shown={shown} data-focus={focus || undefined} onKeyDown={onKeyDown}>
      <header className={`row gap-2 divided ${styles.top}`}>
        <h1 className="sr">编辑文章</h1>
        <Link
          to="/account/center.html"
          className={buttonClass({ look: 'ghost', square: true })}
          aria-label="返回我的主页"
        >
          <Icon name="back" />
        </Link>
        <input
          className={`grow bold ${styles.title}`}
          aria-label="标题"
          placeholder="标题"
          value={title}
          maxLength={TITLE_MOST}
          readOnly={readOnly}
          onChange={({ target }) => writing.set({ title: target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            desk.view.get()?.focus();
          }}
        />
        <SaveStatus writing={writing} />
        <span className={styles.wideTools}>
          <Button look="ghost" square aria-label="切换深浅色" onClick={toggleTheme}>
            <Icon name="moon" />
          </Button>
        </span>
        <Button look="ghost" onClick={() => setPanel('history')}>
          <span>
            历史<span className={styles.wide}>版本</span>
          </span>
        </Button>
        {readOnly ? null : (
          <Button look="primary" onClick={() => setPanel('publish')}>
            发布
          </Button>
        )}
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <Toolbar
          desk={desk}
          readOnly={readOnly}
          onImport={() => openTexts([])}
          onHelp={() => setPanel('help')}
        />
        <div className={styles.notes}>
          {focus ? null : <EssayState writing={writing} />}
          <SaveTrouble writing={writing} onCompare={() => setPanel('conflict')} />
        </div>
        <div className={styles.panes} data-outline={(outline && !focus) || undefined}>
          {outline && !focus ? <OutlinePanel desk={desk} /> : null}
          <SourcePane
            desk={desk}
            readOnly={readOnly}
            className={styles.source}
            hidden={shown === 'preview'}
            onTexts={openTexts}
            onPickPictures={() => picker.current?.click()}
          />
          <PreviewPane desk={desk} hidden={shown === 'source'} inStep={shown === 'split'} />
        </div>
      </main>
      <StatusBar desk={desk} />
      <FileInput
        ref={picker}
        label="插入图片"
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif"
        onFiles={(files) => desk.pictures.add(files.filter(isPicture))}
      />
      <Optional key={panel}>
        {panel === 'publish' ? <PublishDrawer desk={desk} onOpenChange={onOpenChange} /> : null}
        {panel === 'history' ? <History desk={desk} onOpenChange={onOpenChange} /> : null}
        {panel === 'conflict' && theirs !== null ? (
          <Conflict key={theirs.version} writing={writing} theirs={theirs} onOpenChange={onOpenChange} />
        ) : null}
        {panel === 'import' ? <ImportDialog desk={desk} given={dropped} onOpenChange={onOpenChange} /> : null}
        {panel === 'help' ? <Help onOpenChange={onOpenChange} /> : null}
      </Optional>
    </div>
  );
}
