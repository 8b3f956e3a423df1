import { CommentsSection } from '#web/features/comments/comments-section.tsx';
import { loadEssay, useEssay } from '#web/features/essays/essay-query.ts';
import { LetterButton } from '#web/features/letters/letter-button.tsx';
import { usePay } from '#web/features/paying/use-pay.ts';
import { essayHead } from '#web/features/reading/essay-meta.ts';
import { EssayView } from '#web/features/reading/essay-view.tsx';
import { ReportButton } from '#web/features/reports/report-button.tsx';
import { loadRewards } from '#web/features/rewards/rewards-query.ts';
import { RewardsSection } from '#web/features/rewards/rewards-section.tsx';
import { Room } from '#web/features/rooms/room.tsx';
import { Head } from '#web/features/site/head.tsx';
import type { PageModule, PageProps } from '#web/router/navigation.ts';

type Path = '/essay/detail/:id.html';

export const load: PageModule<Path>['load'] = (context, { params }) =>
  Promise.all([loadEssay(context, params.id), loadRewards(context, params.id)]);

export function Page({ params }: PageProps<Path>) {
  const essay = useEssay(params.id);
  const pay = usePay();
  if (essay === undefined) return null;
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Head {...essayHead(essay)} />
      <EssayView
        essay={essay}
        variant="site"
        Comments={CommentsSection}
        Rewards={RewardsSection}
        Letter={LetterButton}
        Room={Room}
        Report={ReportButton}
        pay={pay}
      />
    </main>
  );
}
