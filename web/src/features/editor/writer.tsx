import { isPicture } from '@mozhan/editor/pictures.ts';
import { useStore } from '@mozhan/editor/store.ts';
import { type KeyboardEvent, lazy, useEffect, useRef, useState } from 'react';
import { toggleTheme } from '#web/lib/theme.ts';
import { Link } from '#web/router.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Optional } from '#web/ui/optional.tsx';
import type { Desk } from './desk.ts';
import { EssayState } from './essay-state.tsx';
import { isEditable } from './opening.ts';
import { OutlinePanel } from './outline-panel.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { SaveStatus, SaveTrouble } from './save-status.tsx';
import { SourcePane } from './source-pane.tsx';
import { StatusBar } from './status-bar.tsx';
import { Toolbar } from './toolbar.tsx';
import styles from './writer.module.css';

const loads = {
  publish: () => import('./publish-drawer.tsx'),
  history: () => import('./history.tsx'),
  conflict: () => import('./conflict.tsx'),
  import: () => import('./import/import-dialog.tsx'),
  help: () => import('./help.tsx'),
};

const PublishDrawer = lazy(() => loads.publish().then((module) => ({ default: module.PublishDrawer })));
const History = lazy(() => loads.history().then((module) => ({ default: module.History })));
const Conflict = lazy(() => loads.conflict().then((module) => ({ default: module.Conflict })));
const ImportDialog = lazy(() => loads.import().then((module) => ({ default: module.ImportDialog })));
const Help = lazy(() => loads.help().then((module) => ({ default: module.Help })));

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
  const readOnly = !isEditable(facts);
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
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label="插入图片"
        onChange={({ currentTarget }) => {
          desk.pictures.add([...(currentTarget.files ?? [])].filter(isPicture));
          currentTarget.value = '';
        }}
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
