import { Suspense } from 'react';
import { Head } from '#web/features/site/head.tsx';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { PageSkeleton } from '#web/ui/page-skeleton.tsx';

export const title = '写文章';

// Fetched when one writes, not when one points at the link.
const EditorPage = lazyPart(() => import('#web/features/editor/editor-page.tsx'), 'EditorPage');

export const Page = () => (
  <>
    <Head title={title} hidden />
    <Suspense fallback={<PageSkeleton />}>
      <EditorPage id={null} />
    </Suspense>
  </>
);
