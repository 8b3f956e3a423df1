import { asCallError, errorMessageOf } from '@mozhan/client/errors.ts';
import { readUser } from '@mozhan/client/session.ts';
import { hasUnfinishedUploads } from '@mozhan/editor/picture-uploads.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createEditorModel } from '#web/features/writing/editor-model.ts';
import { createEssayModel } from '#web/features/writing/essay-model.ts';
import { type OpenedEssay, openEssay } from '#web/features/writing/open-essay.ts';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { usePreservePage } from '#web/router/preserved-page.ts';
import { Link } from '#web/router/router.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Landscape } from '#web/ui/landscape.tsx';
import { PageSkeleton } from '#web/ui/page-skeleton.tsx';
import { toast } from '#web/ui/toast.tsx';
import { EditorScreen } from './editor-screen.tsx';

function ReadyEditor({ opened, userId }: { opened: OpenedEssay; userId: string }) {
  const { api, basePath } = useApp();
  const [editor] = useState(() => {
    const essay = createEssayModel({
      api,
      userId,
      opened,
      // The page stays; after a reload the URL finds the essay.
      onCreated: (id) => history.replaceState(history.state, '', `${basePath}/essay/edit.html?id=${id}`),
      onMerged: () => toast('已合并另一个窗口里的改动'),
    });
    return createEditorModel(api, essay);
  });
  usePreservePage();
  return <EditorScreen editor={editor} />;
}

const ID = /^[0-9a-f]{32}$/;
/** A new essay of the user needs no id. */
const NO_ID = '0'.repeat(32);

interface EditorUnavailableProps {
  id: string;
  error?: unknown;
  onRetry?: () => void;
}

function EditorUnavailable({ id, error, onRetry }: EditorUnavailableProps) {
  const status = error === undefined ? 404 : (asCallError(error)?.status ?? 500);
  const isOthers = status === 403;
  const isGone = status === 404 || status === 410;
  const title = isOthers ? '这篇文章不是你写的' : isGone ? '没有可以编辑的文章' : '没能打开文章';
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Empty
        level="h1"
        title={title}
        picture={<Landscape seed="未能展卷" />}
        actions={
          <>
            {isOthers ? (
              <Link
                to="/essay/detail/:id.html"
                params={{ id }}
                className={buttonClass({ variant: 'primary' })}
              >
                阅读这篇文章
              </Link>
            ) : null}
            {isOthers || isGone ? null : (
              <Button variant="primary" onClick={onRetry}>
                再试一次
              </Button>
            )}
            <Link to="/account/center.html" className={buttonClass()}>
              去我的文章
            </Link>
          </>
        }
      >
        <p>
          {isOthers ? '只有作者能编辑它，你可以去读它。' : null}
          {isGone ? '它可能已被删除，或者不是你写的。' : null}
          {isOthers || isGone ? null : errorMessageOf(error)}
        </p>
      </Empty>
    </main>
  );
}

interface EditorPageProps {
  /** Null for a new essay. */
  id: string | null;
  /** Whom staff write a new essay for; null for the user's own. */
  authorId: string | null;
}

export function EditorPage({ id, authorId }: EditorPageProps) {
  const api = useApi();
  const [userId] = useState(() => readUser()?.id ?? '');
  const [openedKey] = useState(() => Math.random());
  const { data, error, refetch } = useQuery({
    queryKey: ['editor', id, authorId, openedKey],
    enabled: ID.test(id ?? authorId ?? NO_ID),
    queryFn: async () => {
      const opened = await openEssay(api, { userId, id, authorId });
      if (opened.recovered) toast('找回了上次没有保存完的文字');
      if (hasUnfinishedUploads(opened.draft.content)) toast('正文里有图片没有传完，请重新插入', 'warn');
      return opened;
    },
    // Loaded once: from then on the editor's state is newer than the server's.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    networkMode: 'always',
    retry: false,
  });
  if (data !== undefined) return <ReadyEditor opened={data} userId={userId} />;
  if (error !== null) return <EditorUnavailable id={id ?? ''} error={error} onRetry={() => void refetch()} />;
  if (!ID.test(id ?? authorId ?? NO_ID)) return <EditorUnavailable id={id ?? ''} />;
  return <PageSkeleton />;
}
