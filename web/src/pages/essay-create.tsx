import { lazy, Suspense } from 'react';
import { Head } from '#web/features/site/head.tsx';
import { PageSkeleton } from '#web/ui/page-skeleton.tsx';

export const title = '写文章';

// Fetched when one writes, not when one points at the link.
const EditorPage = lazy(() =>
  import('#web/features/editor/editor-page.tsx').then((module) => ({ default: module.EditorPage })),
);

export const Page = () => (
  <>
    <Head title={title} hidden />
    <Suspense fallback={<PageSkeleton />}>
      <EditorPage id={null} />
    </Suspense>
  </>
);
