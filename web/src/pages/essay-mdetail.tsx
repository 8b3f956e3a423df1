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
import { BareBar } from '#web/features/site/bare-bar.tsx';
import { Head } from '#web/features/site/head.tsx';
import type { PageModule, PageProps } from '#web/router/navigation.ts';

type Path = '/essay/mdetail/:id.html';

export const load: PageModule<Path>['load'] = (context, { params }) =>
  Promise.all([loadEssay(context, params.id), loadRewards(context, params.id)]);

/** An essay without the site's frame, for browsers inside other apps. */
export function Page({ params }: PageProps<Path>) {
  const essay = useEssay(params.id);
  const pay = usePay();
  if (essay === undefined) return null;
  return (
    <BareBar>
      <Head {...essayHead(essay)} />
      <main id="main" tabIndex={-1} className="wrap">
        <EssayView
          essay={essay}
          variant="bare"
          Comments={CommentsSection}
          Rewards={RewardsSection}
          Letter={LetterButton}
          Room={Room}
          Report={ReportButton}
          pay={pay}
        />
      </main>
    </BareBar>
  );
}
