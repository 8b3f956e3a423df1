import { asCallError, messageOf } from '@mozhan/client/errors.ts';
import { readUser } from '@mozhan/client/session.ts';
import { hasUnsentPictures } from '@mozhan/editor/pictures.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createDesk } from '#web/features/writing/desk.ts';
import { type Opening, openEssay } from '#web/features/writing/opening.ts';
import { createWriting } from '#web/features/writing/writing.ts';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { useHoldPage } from '#web/router/held-page.ts';
import { Link } from '#web/router/router.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { PageSkeleton } from '#web/ui/page-skeleton.tsx';
import { Landscape } from '#web/ui/picture.tsx';
import { toast } from '#web/ui/toast.tsx';
import { Writer } from './writer.tsx';

function Ready({ opening, userId }: { opening: Opening; userId: string }) {
  const { api, basePath } = useApp();
  const [desk] = useState(() => {
    const writing = createWriting({
      api,
      userId,
      opening,
      // The same page goes on; a reload then finds the essay.
      onCreated: (id) => history.replaceState(history.state, '', `${basePath}/essay/edit.html?id=${id}`),
      onMerged: () => toast('已合并另一个窗口里的改动'),
    });
    return createDesk(api, writing);
  });
  useHoldPage();
  return <Writer desk={desk} />;
}

const ID = /^[0-9a-f]{32}$/;

interface MissingProps {
  id: string;
  error?: unknown;
  onRetry?: () => void;
}

/** Says what is wrong, and where to go from here. */
function Missing({ id, error, onRetry }: MissingProps) {
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
              <Link to="/essay/detail/:id.html" params={{ id }} className={buttonClass({ look: 'primary' })}>
                阅读这篇文章
              </Link>
            ) : null}
            {isOthers || isGone ? null : (
              <Button look="primary" onClick={onRetry}>
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
          {isOthers || isGone ? null : messageOf(error)}
        </p>
      </Empty>
    </main>
  );
}

/** Writes one essay: a new one, or the one with this id. */
export function EditorPage({ id }: { id: string | null }) {
  const api = useApi();
  const [userId] = useState(() => readUser()?.id ?? '');
  const [turn] = useState(() => Math.random());
  const { data, error, refetch } = useQuery({
    queryKey: ['editor', id, turn],
    enabled: id === null || ID.test(id),
    queryFn: async () => {
      const opening = await openEssay(api, userId, id);
      if (opening.recovered) toast('找回了上次没有保存完的文字');
      if (hasUnsentPictures(opening.draft.content)) toast('正文里有图片没有传完，请重新插入', 'warn');
      return opening;
    },
    // Opened once; from then on the editor knows better than the server.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    networkMode: 'always',
    retry: false,
  });
  if (data !== undefined) return <Ready opening={data} userId={userId} />;
  if (error !== null) return <Missing id={id ?? ''} error={error} onRetry={() => void refetch()} />;
  if (id !== null && !ID.test(id)) return <Missing id={id} />;
  return <PageSkeleton />;
}
