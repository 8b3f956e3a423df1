import { Suspense } from 'react';
import { Head } from '#web/features/site/head.tsx';
import { lazyComponent } from '#web/lib/lazy-component.ts';
import { PageSkeleton } from '#web/ui/page-skeleton.tsx';

export const title = '写文章';

// Loaded when the page is opened, not when its link is preloaded.
const EditorPage = lazyComponent(() => import('#web/features/editor/editor-page.tsx'), 'EditorPage');

export const Page = () => (
  <>
    <Head title={title} hidden />
    <Suspense fallback={<PageSkeleton />}>
      <EditorPage id={null} authorId={null} />
    </Suspense>
  </>
);
