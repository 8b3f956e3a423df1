import { FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import { followUser } from '../../accounts/users/index.ts';
import { applyAsExpert, decideApplication, pickStar, saveFarmer } from '../../content/directory/index.ts';
import { followColumn } from '../../content/essays/index.ts';
import { applications, columns, picks } from './community/content.ts';
import { readers } from './community/readers.ts';
import { createRandom } from './random.ts';
import { createAction, type DemoAction, getColumnId, getDemoUser, hoursBefore } from './timeline.ts';
import { mainUsers } from './users.ts';

/** No user registered earlier than this. */
const FIRST_HOURS = 690;

/** Users mostly follow writers, and a few other readers. */
function planFollows(now: Date): DemoAction[] {
  const random = createRandom(41);
  const users = [...mainUsers, ...readers];
  return users.flatMap(({ account }) =>
    users
      .filter(
        (other) =>
          other.account !== account && random() < (other.curIdentity === IDENTITY.writer ? 0.5 : 0.03),
      )
      .map((other) =>
        createAction(hoursBefore(now, 1 + FIRST_HOURS * random()), account, (ctx, viewer, state) =>
          followUser(ctx, viewer, getDemoUser(state, other.account).viewer.id),
        ),
      ),
  );
}

/** Shorter than the age of the last essay of a column, so that nobody gets a notice about an old one. */
const COLUMN_FOLLOW_HOURS = 200;

function planColumnFollows(now: Date): DemoAction[] {
  const random = createRandom(43);
  return Object.keys(columns).flatMap((name) =>
    readers
      .filter(() => random() < 0.4)
      .map(({ account }) =>
        createAction(hoursBefore(now, 1 + COLUMN_FOLLOW_HOURS * random()), account, (ctx, viewer, state) =>
          followColumn(ctx, viewer, getColumnId(state, name)),
        ),
      ),
  );
}

const planFarmers = (now: Date): DemoAction[] =>
  readers.flatMap(({ account, farmer }, i) =>
    farmer === undefined
      ? []
      : [
          createAction(hoursBefore(now, 30 + ((i * 7) % 14) * 44), account, (ctx, viewer) =>
            saveFarmer(ctx, viewer, farmer),
          ),
        ],
  );

function planApplications(now: Date): DemoAction[] {
  return applications.flatMap(({ by, hoursAgo, fields, decision }) => {
    let id = '';
    const applied = createAction(hoursBefore(now, hoursAgo), by, async (ctx, viewer) => {
      ({ id } = await applyAsExpert(ctx, viewer, fields));
    });
    if (decision === undefined) return [applied];
    const { status, reason } = decision;
    const decided = createAction(hoursBefore(now, decision.hoursAgo), decision.by, (ctx, viewer) =>
      decideApplication(ctx, viewer, { id, status, reason }),
    );
    return [applied, decided];
  });
}

const planPicks = (now: Date): DemoAction[] =>
  picks.map(({ account, note, hoursAgo }) => ({
    at: hoursBefore(now, hoursAgo),
    run: (ctx, state) =>
      pickStar(ctx, { userId: getDemoUser(state, account).viewer.id, picked: FLAG.on, note }),
  }));

export const planRelations = (now: Date): DemoAction[] => [
  ...planFollows(now),
  ...planColumnFollows(now),
  ...planFarmers(now),
  ...planApplications(now),
  ...planPicks(now),
];
