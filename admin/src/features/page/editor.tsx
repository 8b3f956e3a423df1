import { asCallError } from '@mozhan/client/errors.ts';
import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { infoPageLabels, isInfoPageName, MAX_SLUG_LENGTH } from '@mozhan/contract/page-address.ts';
import type { StaffPage } from '@mozhan/contract/site.ts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { App, Button, Flex, Input, Segmented, Skeleton, Space } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { changedFields } from '#admin/lib/changed-fields.ts';
import { timeAgo } from '#admin/lib/format.ts';
import { call } from '#admin/lib/queries.ts';
import { useShowError } from '#admin/lib/show-error.ts';
import { useUnsavedGuard } from '#admin/lib/unsaved.ts';
import { useDebounced } from '#admin/lib/use-debounced.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { DISCARD_CHANGES, useConfirm } from '#admin/ui/confirm.ts';
import { Prose } from '#admin/ui/prose.tsx';
import { Conflict } from './conflict.tsx';
import styles from './editor.module.css';
import { PageStateTag } from './page-state.tsx';
import { VersionsDrawer } from './versions-drawer.tsx';

const MarkdownEditor = lazy(() =>
  import('./markdown-editor.tsx').then((module) => ({ default: module.MarkdownEditor })),
);

export interface Draft {
  title: string;
  content: string;
  slug: string;
}

const PREVIEW_DELAY_MS = 400;

const savedText = (published: Flag | undefined): string => {
  if (published === undefined) return '已保存';
  return published === FLAG.on ? '已发布' : '已撤下';
};

/** HTML from the server, updated shortly after typing stops. */
function usePreview({ html, content }: StaffPage, typed: string): string {
  const { api } = useApp();
  const debounced = useDebounced(typed, PREVIEW_DELAY_MS);
  const { data } = useQuery({
    queryKey: ['preview', debounced],
    queryFn: ({ signal }) => api('POST core/sys/page/preview', { content: debounced }, { signal }),
    enabled: debounced !== content,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return debounced === content ? html : (data?.html ?? html);
}

export function PageEditor({ stored }: { stored: StaffPage }) {
  const { api, basePath } = useApp();
  const { message } = App.useApp();
  const showError = useShowError();
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const mayUpdate = useCan()('page:update');
  /** Unsaved text and the version it is based on; undefined without changes. */
  const [typed, setTyped] = useState<Draft & { version: number }>();
  const [conflict, setConflict] = useState<StaffPage>();
  const [busy, setBusy] = useState(false);
  const [pane, setPane] = useState('source');
  const [isSending, setSending] = useState(false);
  const [showsVersions, setShowsVersions] = useState(false);

  const { title, content, slug, version } = typed ?? stored;
  const isDirty = title !== stored.title || content !== stored.content || slug !== stored.slug;
  const isBuiltIn = isInfoPageName(stored.slug);
  const isPublished = stored.published === FLAG.on;
  const name = isInfoPageName(stored.slug) ? infoPageLabels[stored.slug] : stored.title;
  useUnsavedGuard(
    () => isDirty,
    () => confirm(DISCARD_CHANGES),
  );
  const html = usePreview(stored, content);
  const type = (change: Partial<Draft>) => setTyped({ title, content, slug, version, ...change });
  const { queryKey } = call(api, 'GET core/sys/page/', { page: stored.page });

  /** `base` is the version to overwrite; only the fields that differ from it are sent. */
  async function save(base: Draft & { version: number }, published?: Flag): Promise<void> {
    setBusy(true);
    try {
      const before = { title: base.title, content: base.content, slug: base.slug };
      const saved = await api('PUT core/sys/page/', {
        page: stored.page,
        version: base.version,
        ...changedFields(before, { title, content, slug }),
        ...(published === undefined ? {} : { published }),
      });
      queryClient.setQueryData(queryKey, saved);
      setTyped(undefined);
      setConflict(undefined);
      message.success(`${savedText(published)}「${saved.title}」`);
    } catch (error) {
      if (asCallError(error)?.code === 'STALE_VERSION') await compare();
      else showError(error);
    } finally {
      setBusy(false);
    }
  }

  async function unpublish(): Promise<void> {
    const text = '读者立即看不到它，导航里也不再显示；正文留作草稿，可以再发布。';
    if (await confirm({ title: `撤下「${name}」？`, text, action: '撤下', danger: true }))
      await save({ ...stored, version }, FLAG.off);
  }

  async function compare(): Promise<void> {
    try {
      const latest = await api('GET core/sys/page/', { page: stored.page });
      if (!Array.isArray(latest)) setConflict(latest);
    } catch (error) {
      showError(error);
    }
  }

  function discardOwnChanges(): void {
    setTyped(undefined);
    setConflict(undefined);
    void queryClient.invalidateQueries({ queryKey });
  }

  return (
    <Flex vertical gap={12}>
      <Flex wrap gap={8} align="center">
        <Input
          className={styles.title}
          aria-label="标题"
          value={title}
          maxLength={50}
          readOnly={!mayUpdate}
          onChange={(event) => type({ title: event.target.value })}
        />
        <span className={styles.state} role="status">
          {isSending ? '图片正在上传' : isDirty ? '有改动没有保存' : `${timeAgo(stored.updatedAt)}更新`}
        </span>
        <PageStateTag page={stored} />
        <Button onClick={() => setShowsVersions(true)}>历史版本</Button>
        {isPublished ? (
          <Button href={basePath + stored.path} target="_blank">
            查看页面
          </Button>
        ) : null}
        {mayUpdate && isPublished && !isBuiltIn ? (
          <Button disabled={busy} onClick={() => void unpublish()}>
            撤下
          </Button>
        ) : null}
        {mayUpdate ? (
          <Button
            type={isPublished ? 'primary' : 'default'}
            disabled={!isDirty || isSending}
            loading={busy}
            onClick={() => void save({ ...stored, version })}
          >
            保存
          </Button>
        ) : null}
        {mayUpdate && !isPublished ? (
          <Button
            type="primary"
            disabled={isSending || busy}
            onClick={() => void save({ ...stored, version }, FLAG.on)}
          >
            发布
          </Button>
        ) : null}
      </Flex>
      {isBuiltIn ? null : (
        <Space.Compact className={styles.address}>
          <Space.Addon>/page/</Space.Addon>
          <Input
            aria-label="地址"
            value={slug}
            maxLength={MAX_SLUG_LENGTH}
            readOnly={!mayUpdate}
            onChange={(event) => type({ slug: event.target.value })}
          />
          <Space.Addon>.html</Space.Addon>
        </Space.Compact>
      )}
      <div className={styles.switch}>
        <Segmented
          block
          value={pane}
          onChange={setPane}
          options={[
            { value: 'source', label: '编辑' },
            { value: 'preview', label: '预览' },
          ]}
        />
      </div>
      <div className={styles.panes} data-pane={pane}>
        <div className={styles.source}>
          <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 8 }} />}>
            <MarkdownEditor
              label={`「${name}」的 Markdown`}
              value={content}
              readOnly={!mayUpdate}
              onChange={(text) => type({ content: text })}
              onSending={setSending}
            />
          </Suspense>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard */}
        <section className={styles.preview} aria-label="预览" tabIndex={0}>
          <Prose html={html} />
        </section>
      </div>
      <VersionsDrawer
        page={stored.page}
        source={isBuiltIn ? '随程序而来' : '导入，或作者已注销'}
        draft={{ title, content }}
        mayUpdate={mayUpdate}
        open={showsVersions}
        onClose={() => setShowsVersions(false)}
        onRestore={(draft) => {
          type(draft);
          setShowsVersions(false);
        }}
      />
      <Conflict
        stored={conflict}
        draft={{ title, content }}
        onClose={() => setConflict(undefined)}
        onKeepMine={(latest) => void save(latest)}
        onUseTheirs={discardOwnChanges}
      />
    </Flex>
  );
}
