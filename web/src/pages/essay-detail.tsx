import { loadEssay, useEssay } from '#web/features/essays/essay-query.ts';
import { essayMeta } from '#web/features/reading/essay-meta.ts';
import { EssayView } from '#web/features/reading/essay-view.tsx';
import { loadRewards } from '#web/features/rewards/rewards-query.ts';
import { Head } from '#web/features/site/head.tsx';
import { Main } from '#web/features/site/main.tsx';
import type { PageModule, PageProps } from '#web/router/navigation.ts';

type Path = '/essay/detail/:id.html';

export const load: PageModule<Path>['load'] = (context, { params }) =>
  Promise.all([loadEssay(context, params.id), loadRewards(context, params.id)]);

export function Page({ params }: PageProps<Path>) {
  const essay = useEssay(params.id);
  if (essay === undefined) return null;
  return (
    <Main>
      <Head {...essayMeta(essay)} />
      <EssayView essay={essay} />
    </Main>
  );
}
