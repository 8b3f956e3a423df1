import { loadEssay, loadEssayId, useEssay } from '#web/features/essays/essay-query.ts';
import { essayMeta } from '#web/features/reading/essay-meta.ts';
import { EssayView } from '#web/features/reading/essay-view.tsx';
import { loadRewards } from '#web/features/rewards/rewards-query.ts';
import { Head } from '#web/features/site/head.tsx';
import { Main } from '#web/features/site/main.tsx';
import { fillPath } from '#web/router/match.ts';
import { type PageModule, type PageProps, Redirect } from '#web/router/navigation.ts';

type Path = '/essay/detail/:id.html';

export const load: PageModule<Path>['load'] = async (context, { path, params, search }) => {
  const id = await loadEssayId(context, params.id);
  const [{ slug }] = await Promise.all([loadEssay(context, id), loadRewards(context, id)]);
  if (slug === null || slug === params.id) return;
  throw new Redirect(fillPath(path, { id: slug }) + (search.size === 0 ? '' : `?${search}`), 301);
};

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
