import { Suspense } from 'react';
import { Head } from '#web/features/site/head.tsx';
import { lazyComponent } from '#web/lib/lazy-component.ts';
import type { PageProps } from '#web/router/navigation.ts';
import { PageSkeleton } from '#web/ui/page-skeleton.tsx';

export const title = '编辑文章';

const EditorPage = lazyComponent(() => import('#web/features/editor/editor-page.tsx'), 'EditorPage');

export function Page({ search }: PageProps<'/essay/edit.html'>) {
  // On the first render the router has not read the search parameters; this page is not rendered on the server.
  const read = (name: string) => search.get(name) ?? new URLSearchParams(location.search).get(name);
  const id = read('id') ?? '';
  // Staff write a new essay for this author.
  const authorId = read('author');
  const isNew = id === '' && authorId !== null;
  return (
    <>
      <Head title={title} hidden />
      <Suspense fallback={<PageSkeleton />}>
        <EditorPage key={id} id={isNew ? null : id} authorId={isNew ? authorId : null} />
      </Suspense>
    </>
  );
}
